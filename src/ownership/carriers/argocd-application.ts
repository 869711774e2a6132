import { at, isObject, objectAt, stringAt } from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import { globToRegExp } from '../glob.ts'
import { entryOf, NOTHING, type Built, type Entry } from '../kustomize/built.ts'
import { readerOf, type ImageEntry, type Sourced } from '../kustomize/fields.ts'
import { optional, type Additions } from '../kustomize/layer.ts'
import { moved } from '../kustomize/steps.ts'
import { splitImage } from '../kustomize/transform.ts'
import { fileOf } from '../place.ts'
import { itemsOf, originOf, partOf, type Traced } from '../traced.ts'
import { parent } from '../tree.ts'
import { fullName } from '../world.ts'
import {
  load,
  type Carrier,
  type CarrierEntry,
  type CarrierKind,
  type Load,
  type Say,
  type Surroundings,
} from './carrier.ts'
import { missing } from './missing.ts'

/**
 * An Argo CD Application applies each of its sources: a folder of manifests (without its
 * sub-folders unless it says so), what kustomize builds of it, or a chart.
 */
export const argocdApplication: CarrierKind = {
  group: 'argoproj.io',
  kind: 'Application',
  carriersOf: (entry, repo) => [carrier(entry, repo)],
}

function carrier({ manifest, object }: CarrierEntry, repo: Surroundings): Carrier {
  return {
    engine: 'argocd',
    label: `Application ${fullName(object.value)}`,
    path: fileOf(object.trace.origin),
    manifest,
    object,
    loads: (say) => {
      const spec = partOf(object, 'spec')
      return spec === undefined ? [] : applicationLoads(spec, repo, say)
    },
  }
}

/** What the spec of an Application, or of an ApplicationSet's template, applies. */
export function applicationLoads(spec: Traced, repo: Surroundings, say: Say): readonly Load[] {
  const namespace = stringAt(spec.value, ['destination', 'namespace'])
  const destination: Sourced<string> | undefined =
    namespace === undefined || isTemplated(namespace)
      ? undefined
      : { value: namespace, origin: originOf(spec, ['destination', 'namespace']) }
  const sources = sourcesOf(spec)
  return sources.flatMap((source) => {
    const { built, isForeign, files, isWhole } = sourceBuilt(source, repo, say)
    if (built.entries.length === 0) return []
    const entries = built.entries.map((entry) => inNamespace(entry, destination))
    const whole = isWhole && sources.length === 1
    return [load({ entries, generated: built.generated }, { isForeign, files, isWhole: whole })]
  })
}

/** Objects without a namespace go to the one that the carrier names. */
export function inNamespace(entry: Entry, namespace: Sourced<string> | undefined): Entry {
  const own = at(entry.object.value, ['metadata', 'namespace'])
  return own === undefined || own === null || own === '' ? moved(entry, namespace) : entry
}

/** `sources` wins over `source`; of a hydrated application the dry source is what is in Git. */
function sourcesOf(spec: Traced): readonly Traced[] {
  const several = partOf(spec, 'sources')
  if (several !== undefined && itemsOf(several).length > 0) return itemsOf(several)
  const hydrator = partOf(spec, 'sourceHydrator')
  const dry = hydrator === undefined ? undefined : partOf(hydrator, 'drySource')
  const single = dry ?? partOf(spec, 'source')
  return single === undefined ? [] : [single]
}

interface SourceBuilt {
  readonly built: Built
  readonly isForeign: boolean
  readonly files: () => readonly string[]
  readonly isWhole: boolean
}

const EMPTY: SourceBuilt = { built: NOTHING, isForeign: false, files: () => [], isWhole: false }

function sourceBuilt(source: Traced, repo: Surroundings, say: Say): SourceBuilt {
  const chart = stringAt(source.value, ['chart'])
  if (chart !== undefined && chart !== '') {
    const what = `the chart ${chart} comes from a chart repository`
    say(originOf(source, ['chart']), what, 'its Jobs cannot be seen from here')
    return EMPTY
  }
  const path = stringAt(source.value, ['path'])
  if (path === undefined) return EMPTY
  const origin = originOf(source, ['path'])
  if (isTemplated(path)) {
    const why = 'the Jobs of this application cannot be told from here'
    say(origin, `the path ${path} is known only after rendering`, why)
    return EMPTY
  }
  const git = repo.sources.git(stringAt(source.value, ['repoURL']))
  const found = repo.sources.locate(git, path)
  if (!('folder' in found)) {
    say(origin, ...missing(found.missing, `path ${path}`, 'Argo CD'))
    return EMPTY
  }
  const { folder, isForeign } = found
  const type = typeOf(source, folder, repo)
  if (type === 'kustomize') {
    const additions = additionsOf(source, folder)
    const built = repo.kustomize.build(folder, additions)
    const isWhole = built.complete && additions === undefined
    return { built, isForeign, files: () => repo.kustomize.filesOf(folder), isWhole }
  }
  // What a chart renders is not known before it does.
  if (type === 'helm') return { ...EMPTY, built: repo.charts.load(folder), isForeign }
  if (type === 'directory') {
    const isTaken = directoryTest(source, folder, say)
    const entries = repo.world
      .heldBelow(folder)
      .filter(isTaken)
      .flatMap((path) => repo.world.heldIn(path).map((manifest) => entryOf(manifest, 'kubernetes')))
    const files = (): readonly string[] => repo.world.tree.under(folder).filter(isTaken)
    return { built: { ...NOTHING, entries }, isForeign, files, isWhole: true }
  }
  const why = 'the Jobs that the plugin makes cannot be seen from here'
  say(originOf(source, ['plugin']), 'this application is rendered by a plugin', why)
  return EMPTY
}

/** What the source says it is, else what the folder looks like; kustomize before Helm. */
function typeOf(
  { value }: Traced,
  folder: string,
  { kustomize, charts }: Surroundings,
): 'kustomize' | 'helm' | 'plugin' | 'directory' {
  const filled = (field: string): boolean => Object.keys(objectAt(value, [field]) ?? {}).length > 0
  if (at(value, ['plugin']) !== undefined) return 'plugin'
  if (filled('kustomize') && kustomize.hasFile(folder)) return 'kustomize'
  if (filled('helm') && charts.has(folder)) return 'helm'
  if (filled('directory')) return 'directory'
  if (kustomize.hasFile(folder)) return 'kustomize'
  return charts.has(folder) ? 'helm' : 'directory'
}

/** Which files of the folder the application takes. */
function directoryTest(source: Traced, folder: string, say: Say): (path: string) => boolean {
  const recurses = at(source.value, ['directory', 'recurse']) === true
  const include = patternAt(source, 'include', say)
  const exclude = patternAt(source, 'exclude', say)
  return (path) => {
    if (!/\.(ya?ml|json)$/.test(path)) return false
    if (!recurses && parent(path) !== folder) return false
    const inner = folder === '' ? path : path.slice(folder.length + 1)
    return include?.test(inner) !== false && exclude?.test(inner) !== true
  }
}

function patternAt(source: Traced, field: 'include' | 'exclude', say: Say): RegExp | undefined {
  const text = stringAt(source.value, ['directory', field])
  if (text === undefined || text === '') return undefined
  const pattern = globToRegExp(text, { crossing: true })
  if (pattern === undefined) {
    const origin = originOf(source, ['directory', field])
    say(origin, `the pattern ${text} cannot be read`, 'it was taken for one that is not there')
  }
  return pattern
}

function additionsOf(source: Traced, folder: string): Additions | undefined {
  const part = partOf(source, 'kustomize')
  if (part === undefined || !isObject(part.value)) return undefined
  const reader = readerOf(part, folder)
  const pairs = reader.object('commonLabels')
  const selectors = at(part.value, ['labelWithoutSelector']) !== true
  const templates = selectors || at(part.value, ['labelIncludeTemplates']) === true
  return {
    components: reader.strings('components'),
    patches: reader.patches('patches'),
    images: reader.strings('images').flatMap(imageOf),
    ...optional('namespace', reader.text('namespace')),
    ...optional('namePrefix', reader.text('namePrefix')),
    ...optional('nameSuffix', reader.text('nameSuffix')),
    labels: pairs.map((item) => ({ pairs: item, selectors, templates })),
    annotations: reader.object('commonAnnotations'),
  }
}

/** `name=other:tag`, `name:tag` or `name@digest`, as in `kustomize edit set image`. */
function imageOf({ value, origin }: Sourced<string>): readonly ImageEntry[] {
  const equals = value.indexOf('=')
  const target = splitImage(equals < 0 ? value : value.slice(equals + 1))
  const name = equals < 0 ? target.name : value.slice(0, equals)
  return [
    {
      name,
      origin,
      ...(equals < 0 ? {} : { newName: target.name }),
      ...(target.tag === undefined ? {} : { newTag: target.tag }),
      ...(target.digest === undefined ? {} : { digest: target.digest }),
    },
  ]
}
