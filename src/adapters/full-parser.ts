import type * as Yaml from 'yaml'
import type { Alias, Document, Node, Pair, Scalar, YAMLMap } from 'yaml'
import type {
  FullParser,
  ReadError,
  TreeEntry,
  TreeNode,
  TreeScalar,
} from '../core/yaml/document.ts'
import { tooDeepAt } from '../core/yaml/nesting.ts'
import { readError } from '../core/yaml/read-error.ts'
import { ByteText } from './byte-text.ts'
import type { Span } from '../core/source.ts'

export interface FullParserLimits {
  /** Collections inside collections. */
  readonly depth: number
  /** Nodes that aliases may stand for, all together. */
  readonly aliasNodes: number
}

/** `yaml` itself would exhaust the stack, and with it the process, at about 600 levels. */
const FULL_PARSER_LIMITS: FullParserLimits = { depth: 250, aliasNodes: 100_000 }
const MOST_DEPTH = 400

/**
 * The npm package `yaml` as a full parser: it is slow to load and to run, so it reads only what
 * the structural parser hands back.
 */
export async function loadFullParser(limits: Partial<FullParserLimits> = {}): Promise<FullParser> {
  const yaml = await import('yaml')
  const { aliasNodes, depth } = { ...FULL_PARSER_LIMITS, ...limits }
  const settings = { aliasNodes, depth: Math.min(depth, MOST_DEPTH) }
  return {
    parse(source, span) {
      const deep = tooDeepAt(source.bytes, span.start, span.end, settings.depth)
      if (deep >= 0) return tooDeep({ start: deep, end: deep + 1 }, settings.depth)
      const text = new ByteText(source, span)
      try {
        const [document] = yaml.parseAllDocuments(text.text, {
          schema: 'failsafe',
          version: '1.1',
          merge: false,
          uniqueKeys: false,
          prettyErrors: false,
          logLevel: 'silent',
          stringKeys: false,
        }) as readonly (Document.Parsed | undefined)[]
        if (document === undefined) return emptyScalar(span.start)
        const error = document.errors[0]
        if (error !== undefined) {
          const at = text.spanOf(error.pos[0], Math.max(error.pos[1], error.pos[0]))
          return readError('YAML_INVALID', at, `this is not YAML: ${error.message}`)
        }
        return new TreeMaker(yaml, text, settings).root(document)
      } catch (error) {
        if (error instanceof Refusal) return error.readError
        throw error
      }
    },
  }
}

function tooDeep(span: Span, depth: number): ReadError {
  return readError(
    'YAML_TOO_DEEP',
    span,
    `more than ${depth} lists and mappings stand inside each other`,
  )
}

class Refusal extends Error {
  readonly readError: ReadError

  constructor(error: ReadError) {
    super(error.what)
    this.readError = error
  }
}

function emptyScalar(at: number): TreeScalar {
  return { kind: 'scalar', span: { start: at, end: at }, style: 'plain', text: '' }
}

/** Walks the nodes of `yaml` in document order, so that an alias means the last anchor before. */
class TreeMaker {
  private readonly anchors = new Map<string, { readonly node?: TreeNode }>()
  private readonly yaml: typeof Yaml
  private readonly text: ByteText
  private readonly limits: FullParserLimits
  private readonly sizes = new Map<TreeNode, number>()
  private aliasNodes = 0

  constructor(yaml: typeof Yaml, text: ByteText, limits: FullParserLimits) {
    this.yaml = yaml
    this.text = text
    this.limits = limits
  }

  root(document: Document.Parsed): TreeNode {
    const { contents } = document
    if (this.yaml.isMap(contents) && contents.flow !== true) this.checkColumns(contents)
    return this.node(contents, document.range[0], 0)
  }

  /** `yaml` takes keys left of an indented first key; Go ends the document there. */
  private checkColumns(map: YAMLMap): void {
    const keys = map.items.flatMap(({ key }) => (this.yaml.isNode(key) ? [key] : []))
    const columns = keys.map((key) => this.columnOf(this.startOf(key)))
    const odd = columns.findIndex((column) => column < (columns[0] ?? 0))
    const key = keys[odd]
    if (key === undefined) return
    const what = 'this key stands left of the first key of the document'
    throw new Refusal(readError('YAML_INVALID', this.span(key), what))
  }

  /** Of the first text on the line: a `?` may stand before the key. */
  private columnOf(position: number): number {
    const { text } = this.text
    const line = text.lastIndexOf('\n', position - 1) + 1
    let at = line
    while (text.charCodeAt(at) === 32) at += 1
    return at - line
  }

  private node(node: Node | null | undefined, fallback: number, depth: number): TreeNode {
    if (node === null || node === undefined) return emptyScalar(this.text.offsetOf(fallback))
    if (depth > this.limits.depth) throw new Refusal(tooDeep(this.span(node), this.limits.depth))
    if (this.yaml.isAlias(node)) return this.alias(node)
    const anchor = 'anchor' in node && typeof node.anchor === 'string' ? node.anchor : undefined
    // While it is being read an anchor stands for nothing: an alias inside would never end.
    const named: { node?: TreeNode } = {}
    if (anchor !== undefined) this.anchors.set(anchor, named)
    named.node = this.content(node, depth)
    return named.node
  }

  private content(node: Node, depth: number): TreeNode {
    if (this.yaml.isMap(node)) return this.map(node, depth)
    if (this.yaml.isSeq(node)) {
      const items = node.items.map((item) => this.node(asNode(item), this.endOf(node), depth + 1))
      return this.sized({ kind: 'list', span: this.span(node), items }, items)
    }
    return this.scalar(node as Scalar)
  }

  private map(node: YAMLMap, depth: number): TreeNode {
    const entries: TreeEntry[] = []
    for (const pair of node.items as readonly Pair<Node | null, Node | null>[]) {
      const at = pair.key?.range?.[1] ?? this.startOf(node)
      const key = this.node(pair.key, at, depth + 1)
      if (key.kind !== 'scalar') {
        throw new Refusal(
          readError('YAML_NO_JSON_FORM', key.span, `a ${key.kind} stands as a key`, {
            remedy: 'write text as the key, or quote it if it starts with a brace or bracket',
          }),
        )
      }
      const value = this.isMissing(pair.value)
        ? emptyScalar(this.behindColon(at))
        : this.node(pair.value, at, depth + 1)
      if (isMergeKey(key)) this.merge(value, entries)
      else entries.push({ key, value })
    }
    const children = entries.map((entry) => entry.value)
    return this.sized({ kind: 'map', span: this.span(node), entries }, children)
  }

  private isMissing(value: Node | null): boolean {
    if (value === null) return true
    const [start = 0, end = 0] = value.range ?? []
    const isBare = value.tag === undefined && !('anchor' in value && value.anchor !== undefined)
    return this.yaml.isScalar(value) && isBare && start === end
  }

  private behindColon(keyEnd: number): number {
    const { text } = this.text
    let at = keyEnd
    while (text.charCodeAt(at) === 32) at += 1
    return this.text.offsetOf(text.charCodeAt(at) === 58 ? at + 1 : keyEnd)
  }

  /** Entries of a list come from its end to its start: the first map of the list wins. */
  private merge(value: TreeNode, entries: TreeEntry[]): void {
    if (value.kind === 'map') {
      for (const entry of value.entries) entries.push({ ...entry, merged: true })
      this.spend(value)
      return
    }
    if (value.kind === 'list') {
      for (const item of value.items.toReversed()) {
        if (item.kind !== 'map') throw this.mergeRefused(item)
        this.merge(item, entries)
      }
      return
    }
    throw this.mergeRefused(value)
  }

  private mergeRefused(value: TreeNode): Refusal {
    return new Refusal(
      readError('YAML_INVALID', value.span, 'a merge key `<<` needs a mapping or a list of them'),
    )
  }

  private alias(node: Alias): TreeNode {
    const target = this.anchors.get(node.source)?.node
    if (target === undefined) {
      const what = this.anchors.has(node.source)
        ? `the anchor \`&${node.source}\` holds itself`
        : `the alias \`*${node.source}\` has no anchor before it in this document`
      throw new Refusal(readError('YAML_INVALID', this.span(node), what))
    }
    this.spend(target)
    return target
  }

  private spend(target: TreeNode): void {
    this.aliasNodes += this.sizes.get(target) ?? 1
    if (this.aliasNodes > this.limits.aliasNodes) {
      throw new Refusal(
        readError(
          'YAML_ALIAS_BOMB',
          target.span,
          `aliases stand for more than ${this.limits.aliasNodes} values`,
        ),
      )
    }
  }

  private sized(node: TreeNode, children: readonly TreeNode[]): TreeNode {
    let size = 1
    for (const child of children) size += this.sizes.get(child) ?? 1
    this.sizes.set(node, size)
    return node
  }

  private scalar(node: Scalar): TreeScalar {
    const tag = tagOf(node)
    const text = typeof node.value === 'string' ? node.value : ''
    const style = styleOf(node)
    const span = this.span(node)
    if (style === 'quoted') this.checkClosed(node, span)
    return tag === undefined
      ? { kind: 'scalar', span, style, text }
      : { kind: 'scalar', span, style, text, tag }
  }

  /**
   * `yaml` ends a quoted text where the next line stands too far left, and takes an escaped quote
   * before that for the end: 'a ''b''
   */
  private checkClosed(node: Scalar, span: Span): void {
    const written = this.text.text.slice(this.startOf(node), this.endOf(node))
    const inner = written.slice(1, -1)
    const isOpen =
      node.type === 'QUOTE_SINGLE'
        ? inner.replaceAll("''", '').includes("'")
        : inner.replaceAll(/\\[^]/g, '').endsWith('\\')
    if (!isOpen) return
    throw new Refusal(readError('YAML_INVALID', span, 'the quote of this text is never closed'))
  }

  private span(node: Node): Span {
    return this.text.spanOf(this.startOf(node), this.endOf(node))
  }

  private startOf(node: Node): number {
    return node.range?.[0] ?? 0
  }

  /** Without the line ends behind it: `yaml` counts them to block scalars and collections. */
  private endOf(node: Node): number {
    const end = node.range?.[1] ?? 0
    if (this.yaml.isScalar(node) && styleOf(node) === 'block') return this.textEnd(node, end)
    if (this.yaml.isMap(node) && node.flow !== true) {
      const last = node.items.at(-1) as Pair<Node | null, Node | null> | undefined
      return this.endOfLast(last?.value ?? last?.key, end)
    }
    if (this.yaml.isSeq(node) && node.flow !== true) return this.endOfLast(node.items.at(-1), end)
    return end
  }

  private endOfLast(last: unknown, end: number): number {
    return this.yaml.isNode(last) ? this.endOf(last) : end
  }

  private textEnd(node: Node, end: number): number {
    let at = end
    const start = this.startOf(node)
    while (at > start && LINE_ENDS.has(this.text.text.charCodeAt(at - 1))) at -= 1
    return at
  }
}

const LINE_ENDS = new Set([10, 13])

function asNode(item: unknown): Node | null {
  return (item ?? null) as Node | null
}

function isMergeKey(key: TreeScalar): boolean {
  return key.style === 'plain' && key.tag === undefined && key.text === '<<'
}

function styleOf({ type }: Scalar): TreeScalar['style'] {
  if (type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE') return 'quoted'
  return type === 'BLOCK_FOLDED' || type === 'BLOCK_LITERAL' ? 'block' : 'plain'
}

const KNOWN_TAGS = new Map<string, NonNullable<TreeScalar['tag']>>(
  (['str', 'int', 'float', 'bool', 'null', 'binary', 'timestamp'] as const).map((tag) => [
    `tag:yaml.org,2002:${tag}`,
    tag,
  ]),
)

/** A scalar with an unknown tag is text, as Go's readers have it. */
function tagOf({ tag }: Scalar): TreeScalar['tag'] | undefined {
  return tag === undefined ? undefined : (KNOWN_TAGS.get(tag) ?? 'str')
}
