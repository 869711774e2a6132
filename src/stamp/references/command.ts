import { kindOfResource, type IsName, type Mention } from './mention.ts'

/** A word of a command, and where it stands in its text. */
export interface Word {
  readonly text: string
  /** In the text that `item` is of. */
  readonly start: number
  /** Of the argument in its list; words of one line share it. */
  readonly item: number
}

export interface CommandMention {
  readonly item: number
  readonly start: number
  readonly end: number
  readonly kind: Mention['kind']
  readonly namespace: string | undefined
  readonly role: string
}

/**
 * text: any line of words, which only a tool's name makes a command. arguments: of a container,
 * whose image may bring the tool. kubectl: of one whose image is kubectl.
 */
export type CommandPlace = 'text' | 'arguments' | 'kubectl'

/**
 * The Jobs that a command names: `kubectl wait job/NAME`, `kubectl logs job NAME`,
 * `kubectl create job x --from=cronjob/NAME`, `wait-for job NAME`, `-l job-name=NAME`.
 * Words of another program mean nothing: `python job/migrate` runs a file.
 */
export function commandMentions(
  words: readonly Word[],
  isName: IsName,
  where: CommandPlace,
): readonly CommandMention[] {
  const found: CommandMention[] = words.flatMap((word) => selectorMentions(word, isName))
  const tool = words.findIndex(({ text }) => isTool(text))
  const isWaiter = tool < 0 && where !== 'text' && kindOfWaiter(words[0]?.text) !== undefined
  const isOpen = where === 'text' || (!isVerb(words[0]?.text) && !isWaiter)
  if (tool < 0 && where !== 'kubectl' && isOpen) return found
  const rest = untilDashes(words.slice(tool + 1))
  // `kubectl create job NAME` gives a name; only where it comes from is a reference.
  const isCreation = rest[0]?.text === 'create'
  const isLogs = rest.some(({ text }) => text === 'logs')
  const namespace = namespaceOf(rest)
  const role =
    isWaiter || isWaitTool(words[tool]?.text) ? 'an argument of wait-for' : 'an argument of kubectl'
  const add = (word: Word, start: number, kind: Mention['kind'], name: string): void => {
    if (!isName(kind, name)) return
    const from = word.start + start
    found.push({ item: word.item, start: from, end: from + name.length, kind, namespace, role })
  }
  let listed: Mention['kind'] | undefined
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at]
    if (word === undefined) break
    const { text } = word
    const slash = /^(?:--[a-z-]+=)?([a-z0-9.]+)\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)$/i.exec(text)
    const kind = slash === null ? undefined : kindOfResource(slash[1] ?? '')
    if (slash !== null && kind !== undefined && (!isCreation || text.startsWith('--from='))) {
      const name = slash[2] ?? ''
      add(word, text.length - name.length, kind, name)
    } else if (text.startsWith('-')) {
      if (VALUE_FLAGS.has(text) && !(isLogs && LOGS_SWITCHES.has(text))) at += 1
    } else if (listed !== undefined) {
      add(word, 0, listed, text)
    } else if (!isCreation) {
      listed = kindOfResource(text) ?? kindOfWaiter(text)
    }
  }
  return found
}

/** What follows `--` is the command of somebody else. */
function untilDashes(words: readonly Word[]): readonly Word[] {
  const dashes = words.findIndex(({ text }) => text === '--')
  return dashes < 0 ? words : words.slice(0, dashes)
}

const SELECTOR =
  /(?:^|[=,])(?:batch\.kubernetes\.io\/)?job-name==?([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?=,|$)/g

function selectorMentions({ text, start, item }: Word, isName: IsName): readonly CommandMention[] {
  return [...text.matchAll(SELECTOR)].flatMap((match): readonly CommandMention[] => {
    const name = match[1] ?? ''
    if (!isName('Job', name)) return []
    const end = start + match.index + match[0].length
    const role = "a selector of the Job's pods"
    return [{ item, start: end - name.length, end, kind: 'Job', namespace: undefined, role }]
  })
}

function isTool(word: string): boolean {
  return /(?:^|\/)(?:kubectl|oc)$/.test(word) || isWaitTool(word)
}

/** `wait-for`, `k8s-wait-for`, `wait_for.sh`. */
function isWaitTool(word: string | undefined): boolean {
  return /(?:^|[/-])wait[-_]for(?:\.sh)?$/.test(word ?? '')
}

/** The first argument of the image k8s-wait-for; `-we` and `-wr` say what may have failed. */
function kindOfWaiter(word: string | undefined): Mention['kind'] | undefined {
  return word === 'job' || word === 'job-we' || word === 'job-wr' ? 'Job' : undefined
}

function isVerb(word: string | undefined): boolean {
  return word !== undefined && VERBS.has(word)
}

const VERBS: ReadonlySet<string> = new Set([
  'annotate',
  'attach',
  'create',
  'delete',
  'describe',
  'exec',
  'get',
  'label',
  'logs',
  'patch',
  'wait',
])

/** Of `logs` these have no value. */
const LOGS_SWITCHES: ReadonlySet<string> = new Set(['-f', '-p'])

/** Flags whose value is the next word. */
const VALUE_FLAGS: ReadonlySet<string> = new Set([
  '--cascade',
  '--container',
  '--context',
  '--field-selector',
  '--filename',
  '--for',
  '--grace-period',
  '--image',
  '--kubeconfig',
  '--namespace',
  '--output',
  '--patch',
  '--selector',
  '--server',
  '--since',
  '--tail',
  '--timeout',
  '--token',
  '--type',
  '-c',
  '-f',
  '-l',
  '-n',
  '-o',
  '-p',
  '-s',
])

function namespaceOf(words: readonly Word[]): string | undefined {
  for (const [index, { text }] of words.entries()) {
    const match = /^(?:--namespace|-n)=(.+)$/.exec(text)
    if (match !== null) return match[1]
    if (text === '-n' || text === '--namespace') return words[index + 1]?.text
  }
  return undefined
}

/**
 * The words of a line that holds one command and nothing that a shell would change, or undefined.
 */
export function simpleWords(text: string, item: number): readonly Word[] | undefined {
  const line = text.replace(/\s+$/, '')
  if (/[\n\r;|&<>(){}$`\\*?#~!]|\[/.test(line)) return undefined
  const words: Word[] = []
  for (const match of line.matchAll(/\S+/g)) {
    const word = unquoted(match[0], match.index, item)
    if (word === undefined) return undefined
    words.push(word)
  }
  return words
}

/** Words of text that may be anything: for doubts only. */
export function roughWords(text: string, offset: number, item: number): readonly Word[] {
  return [...text.matchAll(/[^\s"'`()]+/g)].map((match) => ({
    text: match[0],
    start: offset + match.index,
    item,
  }))
}

function unquoted(text: string, start: number, item: number): Word | undefined {
  const quotes = /["']/
  if (!quotes.test(text)) return { text, start, item }
  const match = /^(["'])([^"']*)\1$/.exec(text)
  if (match !== null) return { text: match[2] ?? '', start: start + 1, item }
  // `--for="condition=complete"`: both quotes of a pair stand in one word.
  return /^[^"']*(["'])[^"']*\1[^"']*$/.test(text) ? { text, start, item } : undefined
}
