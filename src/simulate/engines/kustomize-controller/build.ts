import { at, isObject, objectAt, stringAt, type Json, type JsonObject } from '../../../core/json.ts'
import { manifestsOf, type Manifest } from '../../../core/manifest.ts'
import type { FileReading, FullParser } from '../../../core/yaml/document.ts'
import { readFile } from '../../../core/yaml/read-file.ts'
import { withCommonMetadata } from '../../../engines/metadata.ts'
import { substituted, type Variables } from '../../../ownership/carriers/flux-substitution.ts'
import { createKustomize } from '../../../ownership/kustomize/build.ts'
import type { Entry } from '../../../ownership/kustomize/built.ts'
import { readerOf } from '../../../ownership/kustomize/fields.ts'
import { optional, type Additions } from '../../../ownership/kustomize/layer.ts'
import { traced, type Origin } from '../../../ownership/traced.ts'
import { byCode, pathsBelow, resolvePath } from '../../../ownership/tree.ts'
import { createWorld, type World } from '../../../ownership/world.ts'
import { generated, withReferences } from '../generators.ts'
import { GROUP } from './kinds.ts'

/** The files of an artifact: path -> text. */
export type Files = { readonly [path: string]: string }

export type Built =
  | { readonly objects: readonly JsonObject[] }
  /** In the controller's words; `reason` of the Ready condition. */
  | { readonly reason: 'BuildFailed' | 'ArtifactFailed'; readonly message: string }

export interface BuildInput {
  readonly files: Files
  /** The Kustomization. */
  readonly object: JsonObject
  /** What `postBuild.substituteFrom` names, in its order, and then `postBuild.substitute`. */
  readonly variables: ReadonlyMap<string, string> | undefined
  readonly fullParser?: FullParser
}

/**
 * What kustomize-controller makes of an artifact: kustomize build of `spec.path`, where there is no
 * kustomization file over one made of all YAML below, then substitution, commonMetadata and the
 * labels of the owner. Objects are in no order yet.
 */
export function build(input: BuildInput): Built {
  const world = worldOf(input)
  const spec = objectAt(input.object, ['spec']) ?? {}
  const folder = resolvePath('', stringAt(spec, ['path']) ?? './') ?? ''
  if (!world.tree.isFolder(folder)) {
    const message = `kustomization path not found: stat <temporary folder>/${folder}: no such file or directory`
    return { reason: 'ArtifactFailed', message }
  }
  const kustomize = createKustomize(world)
  const isWritten = kustomize.hasFile(folder)
  const nameless = namelessIn(
    isWritten ? kustomize.filesOf(folder) : world.tree.under(folder),
    world,
  )
  if (nameless !== undefined)
    return { reason: 'BuildFailed', message: refusal(nameless, isWritten) }
  const additions = additionsOf(spec, world, folder)
  const built = isWritten
    ? kustomize.build(folder, additions)
    : kustomize.buildGenerated(folder, () => false, additions)
  const layers = [...kustomize.layout.layers.values()].filter((layer) => layer !== undefined)
  const made = generated({
    layers,
    namespace: stringAt(spec, ['targetNamespace']),
    textOf: (path) => input.files[path],
  })
  const missing: string[] = []
  const objects = built.entries.map((entry) => {
    const after = substitute(entry, input.variables, missing)
    return finished(withReferences(settled(after), made), input.object)
  })
  const [unset] = missing
  if (unset !== undefined) return { reason: 'BuildFailed', message: unset }
  return { objects: [...objects, ...made.map((one) => finished(one.object, input.object))] }
}

/** By the files of an artifact, which many Kustomizations share. */
const WORLDS = new WeakMap<
  Files,
  { readonly parser: FullParser | undefined; readonly world: World }
>()

function worldOf({ files, fullParser }: BuildInput): World {
  const known = WORLDS.get(files)
  if (known !== undefined && known.parser === fullParser) return known.world
  const world = newWorld(files, fullParser)
  WORLDS.set(files, { parser: fullParser, world })
  return world
}

/** A world in which every object counts, not only Jobs and those that carry some. */
function newWorld(files: Files, fullParser: FullParser | undefined): World {
  const listing = Object.keys(files).sort(byCode)
  const readings = listing
    .filter((path) => /\.(ya?ml|json)$/.test(path) || path.endsWith('Kustomization'))
    .map((path) => readingOf(path, files[path] ?? '', fullParser))
  const world = createWorld({ files: readings, listing, root: '' })
  const held = new Map<string, readonly Manifest[]>()
  for (const reading of readings) {
    const manifests = manifestsOf(reading).filter(({ apiVersion }) => !isOwnFormat(apiVersion))
    if (manifests.length > 0) held.set(world.tree.pathOf(reading), manifests)
  }
  const heldFiles = [...held.keys()].sort(byCode)
  return {
    ...world,
    heldFiles,
    heldBelow: pathsBelow(heldFiles),
    heldIn: (path) => held.get(path) ?? [],
    isHeld: () => true,
  }
}

/** kustomization files are no objects of the cluster. */
function isOwnFormat(apiVersion: string): boolean {
  return apiVersion.startsWith('kustomize.config.k8s.io/')
}

function readingOf(path: string, text: string, fullParser: FullParser | undefined): FileReading {
  const source = { path, bytes: new TextEncoder().encode(text) }
  return readFile(source, { wanted: { all: true, needles: [] }, fullParser })
}

interface Nameless {
  readonly path: string
  readonly object: JsonObject
}

/** F-5: generateName and the like end the build. */
function namelessIn(paths: readonly string[], world: World): Nameless | undefined {
  for (const path of paths) {
    if (!/\.ya?ml$/.test(path)) continue
    const found = world.heldIn(path).find(({ name }) => name === undefined || name === '')
    if (found !== undefined) return { path, object: found.object }
  }
  return undefined
}

/** The text of trace kustomize-controller/035; behind a written kustomization file unconfirmed. */
function refusal({ path, object }: Nameless, isWritten: boolean): string {
  const text = (...steps: string[]): string => stringAt(object, steps) ?? ''
  const type = `{${text('apiVersion')} ${text('kind')}}`
  const name = `{ ${text('metadata', 'namespace')}}`
  const pairs = ['labels', 'annotations'].map((part) => goMap(at(object, ['metadata', part])))
  const what = `missing metadata.name in object {${type} {${name} ${pairs.join(' ')}}}`
  return isWritten
    ? `kustomize build failed: ${what}`
    : `failed to decode Kubernetes YAML from <temporary folder>/${path}: ${what}`
}

function goMap(value: Json | undefined): string {
  const pairs = isObject(value) ? Object.entries(value) : []
  return `map[${pairs
    .sort(([one], [other]) => byCode(one, other))
    .map(([key, item]) => `${key}:${typeof item === 'string' ? item : JSON.stringify(item)}`)
    .join(' ')}]`
}

function additionsOf(spec: JsonObject, world: World, folder: string): Additions | undefined {
  const document = world.manifests[0]?.document
  if (document === undefined) return undefined
  const reader = readerOf(traced(spec, { document, path: [] }), folder)
  return {
    components: reader.strings('components'),
    patches: [...reader.strategicPatches('patchesStrategicMerge'), ...reader.patches('patches')],
    images: reader.images('images'),
    ...optional('namespace', reader.text('targetNamespace')),
    ...optional('namePrefix', reader.text('namePrefix')),
    ...optional('nameSuffix', reader.text('nameSuffix')),
  }
}

function substitute(
  entry: Entry,
  variables: ReadonlyMap<string, string> | undefined,
  missing: string[],
): Entry {
  if (variables === undefined) return entry
  const { origin } = entry.object.trace
  const say = (_: Origin, what: string): void => {
    const name = /^\$\{(.+)\} has no value/.exec(what)?.[1] ?? what
    const { apiVersion, kind } = entry.manifest
    missing.push(
      `post build failed for '${apiVersion} ${kind}/${nameOf(entry.object.value)}': ` +
        `variable substitution failed: variable not set (strict mode): "${name}"`,
    )
  }
  return substituted(entry, known(variables, origin), say)
}

function known(variables: ReadonlyMap<string, string>, origin: Origin): Variables {
  const values = new Map([...variables].map(([name, text]) => [name, { text, origin }]))
  return { values, complete: true }
}

function nameOf(object: JsonObject): string {
  return stringAt(object, ['metadata', 'name']) ?? ''
}

/**
 * What kustomize knows of kinds: a Namespace takes the namespace's name (trace 068), and labels for
 * a pod template do not make one where there is none.
 */
function settled({ object, manifest }: Entry): JsonObject {
  let now = object.value
  if (manifest.object['spec'] === undefined && now['spec'] !== undefined) {
    const { spec: _made, ...rest } = now
    now = rest
  }
  const namespace = stringAt(now, ['metadata', 'namespace'])
  if (manifest.kind !== 'Namespace' || manifest.apiVersion !== 'v1') return now
  if (namespace === undefined) return now
  const { namespace: _moved, ...metadata } = objectAt(now, ['metadata']) ?? {}
  return { ...now, metadata: { ...metadata, name: namespace } }
}

/** The owner's labels, then commonMetadata over everything. */
function finished(object: JsonObject, owner: JsonObject): JsonObject {
  const metadata = objectAt(object, ['metadata']) ?? {}
  const labels = {
    ...objectAt(metadata, ['labels']),
    [`${GROUP}/name`]: stringAt(owner, ['metadata', 'name']) ?? '',
    [`${GROUP}/namespace`]: stringAt(owner, ['metadata', 'namespace']) ?? '',
  }
  const labelled = withCommonMetadata({ ...object, metadata: { ...metadata, labels } }, owner)
  return withoutEmpty(labelled)
}

/** commonMetadata without annotations must not write an empty mapping. */
function withoutEmpty(object: JsonObject): JsonObject {
  const { annotations, ...metadata } = objectAt(object, ['metadata']) ?? {}
  const isEmpty = !isObject(annotations) || Object.keys(annotations).length === 0
  return isEmpty ? { ...object, metadata } : object
}
