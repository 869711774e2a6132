import type { Json, Path } from '../json.ts'
import type { Source, Span } from '../source.ts'

/**
 * kubernetes: sigs.k8s.io/yaml, as kubectl, Argo CD directory sources and Helm read.
 * kustomize: kyaml, as kustomize and so Flux read the same bytes.
 */
export type Reading = 'kubernetes' | 'kustomize'

/** Where a value stands: its key (none in lists and at the root) and itself. */
export interface Location {
  readonly key?: Span
  readonly value: Span
}

export interface DuplicateKey {
  /** Of the mapping that holds the key twice. */
  readonly path: Path
  readonly key: string
  readonly first: Span
  readonly again: Span
}

export interface AmbiguousScalar {
  /** Of the value, or of the mapping when `isKey`. */
  readonly path: Path
  readonly span: Span
  readonly isKey: boolean
  readonly text: string
  readonly kubernetes: Json
  readonly kustomize: Json
}

/** One YAML or JSON document. Values are decoded when first asked for. */
export interface YamlDocument {
  readonly source: Source
  readonly span: Span
  /** Position of the document in its file, from 0. */
  readonly index: number
  /** Which parser read it: the structural one, the JSON one, or the full one from npm. */
  readonly parser: 'structural' | 'json' | 'full'
  value(reading?: Reading): Json
  locate(path: Path): Location | undefined
  readonly duplicateKeys: readonly DuplicateKey[]
  /** Plain scalars that the two readings take for different values. */
  ambiguousScalars(): readonly AmbiguousScalar[]
}

/** A document that could not be read. */
export interface ReadError {
  readonly code:
    | 'YAML_INVALID'
    | 'YAML_SEPARATOR'
    | 'YAML_ALIAS_BOMB'
    | 'YAML_TOO_DEEP'
    | 'YAML_NO_JSON_FORM'
    | 'JSON_INVALID'
    | 'FILE_NOT_TEXT'
    | 'FILE_TOO_MANY_DOCUMENTS'
  readonly span: Span
  readonly what: string
  readonly why: string
  readonly remedy: string
}

/** What a file holds, as far as it matters to Jobs. */
export interface FileReading {
  readonly source: Source
  /** All documents of the file, also those that nobody asked for. */
  readonly documentsSeen: number
  /** Those that hold one of the wanted kinds, in file order. */
  readonly documents: readonly YamlDocument[]
  /** Text that Kubernetes' readers drop without a word (after `...`, before the next `---`). */
  readonly droppedText: readonly Span[]
  readonly errors: readonly ReadError[]
  /** Set when documents are missing here because the full parser was not at hand. */
  readonly needsFullParser?: true
  /** Set when the file was read as a template with its actions masked. */
  readonly template?: 'helm' | 'resourceset'
  /** Where an action that stands alone on its line may add entries (templates only). */
  readonly openPlaces?: readonly OpenPlace[]
  /** Documents of a template that masking could not make readable: unknown, not wrong. */
  readonly unreadTemplate?: readonly ReadError[]
}

export interface OpenPlace {
  readonly offset: number
  /** Column (from 0) at which the rendered text will start. */
  readonly indent: number
  readonly text: string
}

/** The nodes that a full parser hands over; spans are bytes of the source. */
export type TreeNode =
  | {
      readonly kind: 'map'
      readonly span: Span
      readonly entries: readonly TreeEntry[]
    }
  | { readonly kind: 'list'; readonly span: Span; readonly items: readonly TreeNode[] }
  | TreeScalar

export interface TreeEntry {
  readonly key: TreeScalar
  readonly value: TreeNode
  /** Comes from a merge key; kustomize lets the mapping's own entries win over it. */
  readonly merged?: true
}

export interface TreeScalar {
  readonly kind: 'scalar'
  readonly span: Span
  readonly style: 'plain' | 'quoted' | 'block'
  /** After unquoting and folding. */
  readonly text: string
  /** A non-specific or unknown tag is left out; `!!str` is 'str'. */
  readonly tag?: 'str' | 'int' | 'float' | 'bool' | 'null' | 'binary' | 'timestamp'
}

/**
 * A parser for everything the structural one hands back (anchors, tags, tabs, explicit
 * indentation ...). It is an npm package, so it is handed in by the adapters and loaded only when
 * the first such document turns up.
 */
export interface FullParser {
  parse(source: Source, span: Span): TreeNode | ReadError
}
