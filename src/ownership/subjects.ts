import type { JsonObject, Path } from '../core/json.ts'
import { invariant } from '../core/faults.ts'
import type { Manifest } from '../core/manifest.ts'
import { outermost, type Place } from '../core/source.ts'
import type {
  Engine,
  EngineId,
  Surroundings as EngineSurroundings,
  Traits,
} from '../engines/engine.ts'
import { engineById } from '../engines/index.ts'
import { unknown } from '../engines/unknown.ts'
import { ArgoOrder } from './carriers/argocd-order.ts'
import type { Load } from './carriers/carrier.ts'
import type { Unowned } from './carriers/unowned.ts'
import type { Member } from './company.ts'
import type { Definitions } from './definitions.ts'
import { carrierManifest, linksTo, settingsOf, type KnownLinks } from './chain.ts'
import type { Applied } from './expand.ts'
import type { Entry } from './kustomize/built.ts'
import { textOf } from './json-text.ts'
import { ManifestMap } from './manifest-map.ts'
import { openTest } from './open.ts'
import { placeAt } from './place.ts'
import type { Company, GeneratedName, Link, Subject } from './subject.ts'
import { originOf, type Origin } from './traced.ts'
import { byCode } from './tree.ts'
import type { World } from './world.ts'

interface Options {
  readonly world: World
  /** The engine that the user gives for a file. */
  engineOf(path: string): EngineId | undefined
  companyOf(member: Member): Company
  definitionsOf(links: readonly Link[]): Definitions
}

/** More owners than this of one file are no mistake of somebody but of a generator. */
const MAX_OWNERS = 100

/**
 * One subject for each Job or CronJob and carrier. Carriers whose source is another repository
 * count only for files that nobody else carries.
 */
export function subjectsOf(
  applied: readonly Applied[],
  unownedOf: (isOwned: (manifest: Manifest) => boolean) => readonly Unowned[],
  options: Options,
): readonly Subject[] {
  const groups = new ManifestMap<Group>()
  const add = (found: FoundEntry): void => {
    if (found.entry.role !== 'job') return
    const group = groups.kept(found.entry.manifest, () => ({ found: [] }))
    if (found.load.isForeign) {
      if (group.found.some(({ load }) => !load.isForeign)) return
      noteDoubt(found, options.world)
    }
    if (group.found.length < MAX_OWNERS && !group.found.some((other) => isSame(found, other))) {
      group.found.push(found)
    }
  }
  for (const isForeign of [false, true]) {
    for (const by of applied) {
      for (const load of by.loads) {
        if (load.isForeign !== isForeign) continue
        for (const entry of load.entries) add({ entry, load, by, engine: by.carrier.engine })
      }
    }
  }
  const isOwned = (manifest: Manifest): boolean => groups.get(manifest) !== undefined
  for (const { engine, load } of unownedOf(isOwned)) {
    for (const entry of load.entries) add({ entry, load, by: undefined, engine })
  }
  const shared = { ...options, order: new ArgoOrder(options.world), links: new Map() }
  return [...groups.values()]
    .map((group) => ({ group, place: startOf(group) }))
    .sort(({ place: one }, { place: other }) => comparePlaces(one, other))
    .flatMap(({ group }) => views(group, shared))
}

interface Group {
  readonly found: FoundEntry[]
}

interface FoundEntry {
  readonly entry: Entry
  readonly load: Load
  readonly by: Applied | undefined
  readonly engine: EngineId
}

function noteDoubt({ by }: FoundEntry, world: World): void {
  const object = by?.carrier.object
  if (by === undefined || object === undefined) return
  world.note(
    object.trace.origin,
    `${by.carrier.label} has a source with another address than this repository`,
    'nobody else carries the files that it names, so they are taken for the same ones',
  )
}

/** One carrier may come to a file in several ways, and an ApplicationSet makes many applications. */
function isSame(one: FoundEntry, other: FoundEntry): boolean {
  if (one.by?.carrier.manifest !== other.by?.carrier.manifest) return false
  if (one.by === undefined || other.by === undefined)
    return one.by === other.by && sameObject(one, other)
  if (one.by.carrier.path !== other.by.carrier.path || !sameObject(one, other)) return false
  return textOf(settingsOf(one.by).map(pair)) === textOf(settingsOf(other.by).map(pair))
}

const pair = ({ name, value }: { name: string; value: string }): readonly string[] =>
  name === 'application' ? [] : [name, value]

function sameObject({ entry: one }: FoundEntry, { entry: other }: FoundEntry): boolean {
  const [first, second] = [one.object.value, other.object.value]
  return first === second || textOf(first) === textOf(second)
}

/** Subjects come in the order of the files, whoever carries them. */
function startOf({ found }: Group): Place {
  const [first] = found
  invariant(first !== undefined, 'a group of owners without an owner')
  const { document } = first.entry.manifest
  return outermost({ source: document.source, span: document.span })
}

function comparePlaces(one: Place, other: Place): number {
  return byCode(one.source.path, other.source.path) || one.span.start - other.span.start
}

/** What the user says about the engine wins over what the repository says. */
function views({ found }: Group, options: SharedOptions): readonly Subject[] {
  const [first] = found
  if (first === undefined) return []
  const given = options.engineOf(outermostPath(first.entry.manifest))
  const chosen = given === undefined ? found : found.filter(({ engine }) => engine === given)
  const siblings: View[] = []
  const entries =
    given !== undefined && chosen.length === 0
      ? [{ ...first, by: undefined, engine: given }]
      : chosen
  for (const one of entries)
    siblings.push(new View(one, siblings, { ...options, engineGiven: given !== undefined }))
  return siblings
}

function outermostPath(manifest: Manifest): string {
  const { document } = manifest
  return outermost({ source: document.source, span: document.span }).source.path
}

interface SharedOptions extends Options {
  readonly order: ArgoOrder
  readonly links: KnownLinks
}

interface ViewOptions extends SharedOptions {
  readonly engineGiven: boolean
}

/** Most of it is worked out only when a rule asks. */
class View implements Subject {
  readonly kind: 'Job' | 'CronJob'
  readonly manifest: Manifest
  readonly object: JsonObject
  readonly engine: Engine
  readonly engineGiven: boolean
  readonly carrier?: Manifest
  readonly applied?: Applied
  private readonly found: FoundEntry
  private readonly siblings: readonly View[]
  private readonly options: ViewOptions
  private readonly known: {
    traits?: Traits
    chain?: readonly Link[]
    isOpen?: (origin: Origin) => boolean
  } = {}

  constructor(found: FoundEntry, siblings: readonly View[], options: ViewOptions) {
    const { entry, by, engine } = found
    this.kind = entry.manifest.kind === 'CronJob' ? 'CronJob' : 'Job'
    this.manifest = entry.manifest
    this.object = entry.object.value
    this.engine = engineById(engine) ?? unknown
    this.engineGiven = options.engineGiven
    const carrier = by === undefined ? undefined : carrierManifest(by.carrier)
    if (carrier !== undefined) this.carrier = carrier
    if (by !== undefined) this.applied = by
    this.found = found
    this.options = options
    this.siblings = siblings
  }

  get traits(): Traits {
    return (this.known.traits ??= this.engine.traits(
      this.carrier?.object,
      this.object,
      this.surroundings(),
    ))
  }

  private surroundings(): EngineSurroundings {
    const { entry, by, engine } = this.found
    if (engine !== 'argocd' || by === undefined) return {}
    const { order } = this.options
    if (order.isFollowed(entry, by.loads)) return { followed: true }
    return order.isLast(entry, by.loads) ? { followed: false } : {}
  }

  get chain(): readonly Link[] {
    return (this.known.chain ??= linksTo(this.found.by, this.found.entry.links, this.options.links))
  }

  get rivals(): readonly Subject[] {
    return this.siblings.filter((other) => other !== this)
  }

  get company(): Company {
    return this.options.companyOf(this.found)
  }

  get generatedNames(): readonly GeneratedName[] {
    return this.found.load.generated.map(({ origin, ...generated }) => ({
      ...generated,
      place: placeAt(origin),
    }))
  }

  definition(name: string): string | undefined {
    return this.options.definitionsOf(this.found.entry.links)(name)
  }

  placeOf(path: Path, which: 'key' | 'value' = 'value'): Place {
    return placeAt(originOf(this.found.entry.object, path), which)
  }

  isOpen(path: Path): boolean {
    this.known.isOpen ??= openTest(this.manifest)
    return this.known.isOpen(originOf(this.found.entry.object, path))
  }
}
