import type { Carrier, CarrierKind, Load, Say, Surroundings } from './carriers/carrier.ts'
import type { Manifest } from '../core/manifest.ts'
import { entryOf, type Entry } from './kustomize/built.ts'
import { textOf } from './json-text.ts'
import { ManifestMap } from './manifest-map.ts'
import type { Link } from './subject.ts'
import { roleOf } from './world.ts'

/** A carrier as it is applied, with what it applies and what applies it. */
export interface Applied {
  readonly carrier: Carrier
  readonly loads: readonly Load[]
  readonly parents: readonly Parent[]
  readonly remarks: readonly Parameters<Say>[]
}

/** A carrier that applies the object of another one, with the files on the way. */
export interface Parent {
  readonly by: Applied
  readonly links: readonly Link[]
}

/** One object that carries, and what is known of it so far. */
interface Node {
  readonly manifest: Manifest
  /** As it stands in the file. */
  readonly written: readonly Applied[]
  /** What it applies as it stands. */
  readonly inner: Set<Node>
  /** How it comes out of the carriers that apply it. */
  readonly seen: { readonly by: Applied; readonly entry: Entry }[]
  /** Carriers that apply it and are not done. */
  waiting: number
  isDone: boolean
}

/**
 * All carriers of the repository, outer ones before the inner ones that they apply, because an
 * outer one may patch, move or substitute in an inner one. A carrier that nothing applies counts
 * as it stands; one that several apply in the same way counts once.
 */
export function expandCarriers(
  kinds: readonly CarrierKind[],
  roots: readonly Carrier[],
  repo: Surroundings,
): readonly Applied[] {
  return new Expansion(kinds, repo).run(roots)
}

class Expansion {
  private readonly kinds: ReadonlyMap<string, CarrierKind>
  private readonly repo: Surroundings
  private readonly nodes = new ManifestMap<Node>()
  private readonly ready: Node[] = []
  private readonly result: Applied[] = []

  constructor(kinds: readonly CarrierKind[], repo: Surroundings) {
    this.kinds = new Map(kinds.map((kind) => [kind.kind, kind]))
    this.repo = repo
  }

  run(roots: readonly Carrier[]): readonly Applied[] {
    const { world, kustomize } = this.repo
    const patches = kustomize.patchFiles()
    for (const manifest of world.manifests) {
      if (roleOf(manifest) !== 'carrier' || patches.has(world.tree.pathOf(manifest.file))) continue
      this.node(manifest)
    }
    const rooted = roots.map((carrier) => apply(carrier, []))
    for (const applied of rooted) this.innerOf(applied)
    for (const node of this.nodes.values()) {
      for (const inner of node.written.flatMap((applied) => this.innerOf(applied))) {
        if (inner === node || node.inner.has(inner)) continue
        node.inner.add(inner)
        inner.waiting += 1
      }
    }
    for (const applied of rooted) this.settle(applied)
    for (const node of this.nodes.values()) if (node.waiting === 0) this.ready.push(node)
    this.finishReady()
    // Of those that are left, two apply each other.
    for (const node of this.nodes.values()) {
      this.finish(node)
      this.finishReady()
    }
    return this.result
  }

  private finishReady(): void {
    for (const node of this.ready) this.finish(node)
    this.ready.length = 0
  }

  private finish(node: Node): void {
    if (node.isDone) return
    node.isDone = true
    for (const applied of this.variants(node)) this.settle(applied)
    for (const inner of node.inner) {
      inner.waiting -= 1
      if (inner.waiting === 0) this.ready.push(inner)
    }
  }

  /** Counts the carrier, and shows the inner ones what it makes of them. */
  private settle(applied: Applied): void {
    this.result.push(applied)
    for (const remark of applied.remarks) this.repo.world.note(...remark)
    for (const { entries, isForeign } of applied.loads) {
      if (isForeign) continue
      for (const entry of entries) {
        if (entry.role !== 'carrier') continue
        const inner = this.node(entry.manifest)
        if (inner.isDone) continue
        inner.seen.push({ by: applied, entry })
        if (inner.waiting === 0) this.ready.push(inner)
      }
    }
  }

  private innerOf({ loads }: Applied): readonly Node[] {
    return loads.flatMap(({ entries }) =>
      entries.filter(({ role }) => role === 'carrier').map(({ manifest }) => this.node(manifest)),
    )
  }

  private node(manifest: Manifest): Node {
    return this.nodes.kept(manifest, () => {
      const { object } = entryOf(manifest, 'kubernetes')
      const written = this.carriersOf({ manifest, object }).map((carrier) => apply(carrier, []))
      return { manifest, written, inner: new Set(), seen: [], waiting: 0, isDone: false }
    })
  }

  private carriersOf(entry: Pick<Entry, 'manifest' | 'object'>): readonly Carrier[] {
    const { kind, apiVersion } = entry.manifest
    const found = this.kinds.get(kind)
    const isOne = found !== undefined && apiVersion.startsWith(`${found.group}/`)
    return isOne ? found.carriersOf(entry, this.repo) : []
  }

  /** The carrier in each form in which it comes out of those that apply it. */
  private variants({ manifest, written, seen }: Node): readonly Applied[] {
    if (seen.length === 0) return written
    const groups = new Map<string, (typeof seen)[number][]>()
    const isSame = seen.every(({ entry }) => entry.object.value === manifest.object)
    for (const one of seen) {
      const key = isSame ? '' : textOf(one.entry.object.value)
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [one])
      else group.push(one)
    }
    return [...groups.values()].flatMap((group) => {
      const parents = group.map(({ by, entry }) => ({ by, links: entry.links }))
      const [first] = group
      if (first === undefined || first.entry.object.value === manifest.object) {
        return written.map((applied) => ({ ...applied, parents }))
      }
      return this.carriersOf(first.entry).map((carrier) => apply(carrier, parents))
    })
  }
}

function apply(carrier: Carrier, parents: readonly Parent[]): Applied {
  const remarks: Parameters<Say>[] = []
  const loads = carrier.loads((...remark) => {
    remarks.push(remark)
  })
  return { carrier, loads, parents, remarks }
}
