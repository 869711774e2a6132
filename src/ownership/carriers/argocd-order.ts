import { at, isObject, stringAt, type JsonObject } from '../../core/json.ts'
import { bytesOf, findBytes } from '../../core/yaml/bytes.ts'
import { KUSTOMIZATION_NAMES } from '../kustomize/build.ts'
import type { Entry } from '../kustomize/built.ts'
import { parent } from '../tree.ts'
import type { YamlDocument } from '../../core/yaml/document.ts'
import { kept, type World } from '../world.ts'
import type { Load } from './carrier.ts'

/** When Argo CD applies an object within one sync. */
interface Turn {
  readonly phases: readonly string[]
  readonly wave: number
  readonly isHook: boolean
}

/** Answers for many objects; each file is looked at once, whoever asks. */
export class ArgoOrder {
  private readonly world: World
  private readonly files = new Map<string, OrderedFile | undefined>()
  private readonly turns = new Map<string, readonly DocumentTurn[]>()
  private readonly writtenTurns = new Map<string, readonly DocumentTurn[]>()

  constructor(world: World) {
    this.world = world
  }

  /**
   * Whether something of the same application surely comes after a plain object in a sync, so that
   * the sync waits for it. `false` says only that nothing is known to.
   */
  isFollowed(entry: Entry, loads: readonly Load[]): boolean {
    const own = turnOf(entry.object.value)
    if (own.isHook) return false
    return loads.some(
      ({ entries, files }) =>
        entries.some((other) => other !== entry && isLater(turnOf(other.object.value), own)) ||
        (files?.() ?? []).some((path) => this.holdsLater(path, own, entry)),
    )
  }

  /**
   * Whether the object, which asks for a wave of its own, surely comes last in a sync of several
   * waves: everything that the application applies was seen, and nothing follows.
   */
  isLast(entry: Entry, loads: readonly Load[]): boolean {
    const own = turnOf(entry.object.value)
    const asks = at(entry.object.value, WAVE) !== undefined
    if (own.isHook || !asks || !loads.every(({ isWhole }) => isWhole === true)) return false
    const files = loads.flatMap((load) => load.files?.() ?? [])
    if (files.some((path) => this.file(path) === undefined)) return false
    if (this.isFollowed(entry, loads) || this.isSetElsewhere(entry, files)) return false
    const others = files.flatMap((path) => this.turnsIn(path))
    return others.some(
      ({ document, turn: { isHook, wave } }) =>
        document !== entry.manifest.document && (isHook || wave < own.wave),
    )
  }

  /** A kustomization on the way may give others a wave. */
  private isSetElsewhere({ links }: Entry, files: readonly string[]): boolean {
    const folders = new Set(files.map(parent))
    const paths = [
      ...links.map(({ path }) => path),
      ...[...folders].flatMap((folder) =>
        KUSTOMIZATION_NAMES.map((name) => (folder === '' ? name : `${folder}/${name}`)),
      ),
    ]
    return paths.some((path) => this.file(path)?.isOrdered === true)
  }

  /** Files without a word on order hold objects of wave 0, and need no parsing. */
  private holdsLater(path: string, own: Turn, { manifest: { document } }: Entry): boolean {
    const file = this.file(path)
    if (file === undefined) return false
    const isOwnFile = file.path === document.source.path
    if (!file.isOrdered && !isOwnFile) return own.wave < 0
    if (!file.isOrdered && own.wave >= 0) return false
    const turns = own.wave < 0 ? this.turnsIn(path) : this.writtenTurnsIn(path)
    return turns.some(
      ({ document: other, turn }) =>
        !(isOwnFile && other.index === document.index) && isLater(turn, own),
    )
  }

  private file(path: string): OrderedFile | undefined {
    return kept(this.files, path, () => {
      const source = this.world.sourceOf(path)
      if (source === undefined) return undefined
      const isOrdered = holdsMark(source.bytes)
      return { path: source.path, isOrdered }
    })
  }

  /** Of every Kubernetes object of the file. */
  private turnsIn(path: string): readonly DocumentTurn[] {
    return kept(this.turns, path, () => turnsOf(this.world.documentsIn(path)))
  }

  /** Of those with a word on order. Only these can come after an object of wave 0 or later. */
  private writtenTurnsIn(path: string): readonly DocumentTurn[] {
    return kept(this.writtenTurns, path, () => turnsOf(this.world.documentsWith(path, MARKS)))
  }
}

function turnsOf(documents: readonly YamlDocument[]): readonly DocumentTurn[] {
  return documents.flatMap((document) => {
    const value = document.value()
    if (!isObject(value) || value['kind'] === undefined) return []
    return [{ document, turn: turnOf(value) }]
  })
}

interface OrderedFile {
  readonly path: string
  /** Whether it has a word on order at all. */
  readonly isOrdered: boolean
}

interface DocumentTurn {
  readonly document: YamlDocument
  readonly turn: Turn
}

const WAVE = ['metadata', 'annotations', 'argocd.argoproj.io/sync-wave']

const SYNC_WAVE = bytesOf('sync-wave')
const HOOKS = ['argocd.argoproj.io/hook', 'helm.sh/hook'].map(bytesOf)
const MARKS = [SYNC_WAVE, ...HOOKS]
/** What both of them hold: few files do, and it is found quicker. */
const ANY_HOOK = bytesOf('/hook')

function holdsMark(bytes: Uint8Array): boolean {
  if (findBytes(bytes, SYNC_WAVE, 0) >= 0) return true
  const hook = findBytes(bytes, ANY_HOOK, 0)
  return hook >= 0 && HOOKS.some((mark) => findBytes(bytes, mark, 0) >= 0)
}

function isLater({ phases, wave }: Turn, own: Turn): boolean {
  return phases.includes('PostSync') || (phases.includes('Sync') && wave > own.wave)
}

function turnOf(object: JsonObject): Turn {
  const annotation = (key: string): string | undefined =>
    stringAt(object, ['metadata', 'annotations', key])
  const wave = annotation('argocd.argoproj.io/sync-wave') ?? annotation('helm.sh/hook-weight')
  const own = annotation('argocd.argoproj.io/hook')
  const helm = annotation('helm.sh/hook')
  const phases = own === undefined ? helmPhases(helm) : words(own)
  const isHook = own !== undefined || (helm !== undefined && helm !== 'crd-install')
  return { phases, isHook, wave: /^-?\d+$/.test(wave ?? '') ? Number(wave) : 0 }
}

function helmPhases(hook: string | undefined): readonly string[] {
  if (hook === undefined || hook === 'crd-install') return ['Sync']
  return words(hook).flatMap((word) => {
    if (word === 'post-install' || word === 'post-upgrade') return ['PostSync']
    return word === 'pre-install' || word === 'pre-upgrade' ? ['PreSync'] : []
  })
}

function words(list: string): readonly string[] {
  return list.split(',').map((word) => word.trim())
}
