/** One template action, taken apart as far as its own text shows. */
export interface Expression {
  /** As written, with its delimiters. */
  readonly text: string
  /** `variable`: a name in `${ }`, as Flux and shells substitute; `cel`: any other `${ }`. */
  readonly language: 'go' | 'cel' | 'variable'
  /** Functions and keywords: `sha256sum`, `trunc`, `hash.fnv64a`. */
  readonly calls: ReadonlySet<string>
  /** What a commit can change: `.Values.image.tag`, `inputs.tag`, `schema.spec.image`. */
  readonly inputs: readonly string[]
  /** Of the release, not of the values: `.Release.Revision`. */
  readonly release: readonly string[]
  /** False when something else decides too: an include, a loop variable, the cluster. */
  readonly whole: boolean
}

/** What a file's actions assign: `{{ $hash := ... }}`. */
export type Variables = ReadonlyMap<string, readonly string[]>

/** How an action begins. In a file where `<<` means nothing it may be a shell's here-document. */
export type Mark = '{{' | '<<' | '${'

/** The actions of `text` that begin with one of `marks`, with the variables of its file followed. */
export function expressionsIn(
  text: string,
  variables: Variables,
  marks: readonly Mark[],
): readonly Expression[] {
  return actionsIn(text, marks).map((action) => readAction(action, variables))
}

export function variablesOf(fileText: string, marks: readonly Mark[]): Variables {
  const found = new Map<string, string[]>()
  for (const action of actionsIn(fileText, marks)) {
    const [, name, body] = ASSIGNMENT.exec(bodyOf(action)) ?? []
    if (name === undefined || body === undefined) continue
    found.set(name, [...(found.get(name) ?? []), body])
  }
  return found
}

/** A set of words, from one text with blanks between. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

/** True when `covering`, or a parent of `input`, is among `covering`. */
export function covers(covering: readonly string[], input: string): boolean {
  return covering.some((known) => input === known || input.startsWith(`${known}.`))
}

function actionsIn(text: string, marks: readonly Mark[]): readonly string[] {
  return marks.flatMap((mark) => text.match(ACTIONS[mark]) ?? [])
}

const ACTIONS: Readonly<Record<Mark, RegExp>> = {
  '{{': /\{\{[\s\S]*?\}\}/g,
  '<<': /<<[\s\S]*?>>/g,
  '${': /\$\{[\s\S]*?\}/g,
}

/** The action without delimiters, trim marks and comments. */
function bodyOf(action: string): string {
  return action
    .slice(2, action.startsWith('${') ? -1 : -2)
    .replace(/^-\s|\s-$/g, ' ')
    .replaceAll(/\/\*[\s\S]*?\*\//g, ' ')
}

function readAction(action: string, variables: Variables): Expression {
  if (!action.startsWith('${')) {
    const reading = new Reading()
    readGo(bodyOf(action), variables, reading, new Set())
    return { text: action, language: 'go', ...reading.result() }
  }
  const variable = /^\$\{([A-Za-z_]\w*)(?:[:=?+#%/^,@-][\s\S]*)?\}$/.exec(action)?.[1]
  if (variable !== undefined) {
    const reading = new Reading()
    reading.inputs.add(variable)
    return { text: action, language: 'variable', ...reading.result() }
  }
  const reading = new Reading()
  readCel(bodyOf(action), reading)
  return { text: action, language: 'cel', ...reading.result() }
}

class Reading {
  readonly calls: Set<string> = new Set()
  readonly inputs: Set<string> = new Set()
  readonly release: Set<string> = new Set()
  whole = true

  result(): Omit<Expression, 'text' | 'language'> {
    const { calls, whole } = this
    return { calls, inputs: [...this.inputs], release: [...this.release], whole }
  }
}

const ASSIGNMENT = /^\s*(?:if\s+|with\s+)?\$(\w+)\s*:?=([\s\S]*)$/

/** Strings; fields (also of a bracket); variables; words; a lone `.` or `$`. */
const GO_TOKENS =
  /"(?:\\.|[^"\\])*"|`[^`]*`|\)(?:\.\w+)+|\$?(?:\.\w+)+|\$\w+(?:\.\w+)*|[A-Za-z_]\w*(?:\.\w+)*|\.|\$/g

function readGo(body: string, variables: Variables, into: Reading, seen: Set<string>): void {
  const assigned = ASSIGNMENT.exec(body)?.[2] ?? body
  const tokens = assigned.match(GO_TOKENS) ?? []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? ''
    const literals = literalsAfter(tokens, at)
    if (isLiteral(token) || token.startsWith(')')) continue
    if (token === 'include' || token === 'template') {
      if (/(?:^|\.)(?:full)?name$/.test(literals[0] ?? '')) at += 2
      else into.whole = false
    } else if (/^\$?\./.test(token) && token.length > 1 && token !== '$.') {
      readField(token.replace(/^\$/, ''), literals, tokens[at - 1] === 'index', into)
    } else if (token === '.' || token === '$') {
      into.whole = false
    } else if (token.startsWith('$')) {
      readVariable(token, variables, into, seen)
    } else if (token === 'inputs' || token.startsWith('inputs.')) {
      into.inputs.add([token, ...(tokens[at - 1] === 'index' ? literals : [])].join('.'))
    } else {
      into.calls.add(token)
      if (DECIDED_ELSEWHERE.has(token)) into.whole = false
    }
  }
}

const DECIDED_ELSEWHERE: ReadonlySet<string> = new Set(['tpl', 'lookup', 'block', 'fromYaml'])

function readField(
  field: string,
  literals: readonly string[],
  indexed: boolean,
  into: Reading,
): void {
  const root = field.split('.')[1]
  if (root === 'Values') into.inputs.add([field, ...(indexed ? literals : [])].join('.'))
  else if (root === 'Files') into.inputs.add(`the file ${literals[0] ?? '(unknown)'}`)
  else if (root === 'Release') into.release.add(field)
  else if (field === '.Chart.Version' || field === '.Chart.AppVersion') into.inputs.add(field)
  else if (root !== 'Chart' && root !== 'Capabilities' && root !== 'Template') into.whole = false
}

function readVariable(token: string, variables: Variables, into: Reading, seen: Set<string>): void {
  const name = /^\$(\w+)/.exec(token)?.[1] ?? ''
  const bodies = variables.get(name)
  if (bodies === undefined) {
    into.whole = false
    return
  }
  if (seen.has(name)) return
  seen.add(name)
  for (const body of bodies) readGo(body, variables, into, seen)
}

const isLiteral = (token: string): boolean => token.startsWith('"') || token.startsWith('`')

/** The string arguments that follow a token directly: `index .Values "a" "b"`. */
function literalsAfter(tokens: readonly string[], at: number): readonly string[] {
  const found: string[] = []
  for (let next = at + 1; isLiteral(tokens[next] ?? ''); next += 1) {
    found.push((tokens[next] ?? '').slice(1, -1))
  }
  return found
}

const CEL_TOKENS =
  /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*(?:\??\.\w+|\["[^"]*"\])*(?:\s*\()?/g

function readCel(body: string, into: Reading): void {
  for (const token of body.match(CEL_TOKENS) ?? []) {
    if (/^["']/.test(token)) continue
    const called = token.endsWith('(')
    const steps = token
      .replace(/\s*\($/, '')
      .replaceAll(/\["([^"]*)"\]/g, '.$1')
      .replaceAll('?.', '.')
      .split('.')
    const [root] = steps
    if (called && (steps.length === 1 || CEL_LIBRARIES.has(root ?? ''))) {
      into.calls.add(steps.join('.'))
      continue
    }
    if (called) into.calls.add(steps.pop() ?? '')
    if (root === 'schema' && steps[1] === 'spec') into.inputs.add(steps.join('.'))
    else if (root !== 'schema' && !CEL_WORDS.has(root ?? '')) into.whole = false
  }
}

const CEL_LIBRARIES: ReadonlySet<string> = new Set(['hash', 'json', 'random', 'base64', 'math'])
const CEL_WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'in'])
