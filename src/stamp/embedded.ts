import {
  isList,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
  type Path,
} from '../core/json.ts'
import { placeOf, type Manifest } from '../core/manifest.ts'
import { embeddedSource } from '../core/yaml/embedded.ts'
import { bytesOf } from '../core/yaml/bytes.ts'
import { actionsOf } from '../core/templates.ts'
import type { StampNote } from './stamp-types.ts'

/** An object that another object holds, for its controller to create. */
export interface Embedded {
  /** With its place in the document; a name in it can be written like any other. */
  readonly manifest: Manifest
  readonly holder: Holder
}

export interface Holder {
  /** `ResourceSet apps/orders`. */
  readonly label: string
  /** The object stands in a list whose controller applies it as it is, but for `<< >>`. */
  readonly isList: boolean
}

/** Whether an object has lists of objects that are applied as they are, but for `<< >>`. */
function holdsObjects({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): boolean {
  if (kind === 'ResourceSet') return apiVersion.startsWith('fluxcd.controlplane.io/')
  return kind === 'Sequence' && apiVersion.startsWith('semel.dev/')
}

/** Every object in the lists of a ResourceSet or a Sequence. */
export function listedObjects(manifest: Manifest): readonly Embedded[] {
  if (!holdsObjects(manifest)) return []
  const lists: readonly Path[] = [
    ['spec', 'resources'],
    ...listAt(manifest.object, ['spec', 'steps']).map((_, index): Path => [
      'spec',
      'steps',
      index,
      'resources',
    ]),
  ]
  return lists.flatMap((list) =>
    listAt(manifest.object, list).flatMap((value, index) => {
      const found = isObject(value) ? inside(manifest, [...list, index], value) : undefined
      return found === undefined
        ? []
        : [{ manifest: found, holder: { label: labelOf(manifest), isList: true } }]
    }),
  )
}

/**
 * The Jobs and CronJobs that another object holds, wherever in it: a mapping that has their kind
 * and a pod template. What only names a Job has none.
 */
export function embeddedJobs(manifest: Manifest): readonly Embedded[] {
  const listed = listedObjects(manifest).filter(({ manifest: { object } }) => isJob(object))
  const found: Embedded[] = [...listed]
  const known = new Set(listed.map(({ manifest: { object } }) => object))
  const holder: Holder = { label: labelOf(manifest), isList: false }
  const visit = (value: Json | undefined, path: Path): void => {
    if (isList(value)) value.forEach((item, index) => visit(item, [...path, index]))
    if (!isObject(value) || known.has(value)) return
    const job = isJob(value) && hasPods(value) ? inside(manifest, path, value) : undefined
    if (job !== undefined) found.push({ manifest: job, holder })
    else for (const [key, item] of Object.entries(value)) visit(item, [...path, key])
  }
  for (const [key, item] of Object.entries(manifest.object)) visit(item, [key])
  return found
}

function inside(outer: Manifest, path: Path, object: JsonObject): Manifest | undefined {
  const kind = stringAt(object, ['kind'])
  const apiVersion = stringAt(object, ['apiVersion'])
  if (kind === undefined || apiVersion === undefined) return undefined
  return {
    file: outer.file,
    document: outer.document,
    root: [...outer.root, ...path],
    object,
    apiVersion,
    kind,
    name: stringAt(object, ['metadata', 'name']),
    namespace: stringAt(object, ['metadata', 'namespace']),
  }
}

function isJob({ kind, apiVersion }: JsonObject): boolean {
  const isBatch = typeof apiVersion === 'string' && apiVersion.startsWith('batch/')
  return isBatch && (kind === 'Job' || kind === 'CronJob')
}

function hasPods(object: JsonObject): boolean {
  const spec = objectAt(object, ['spec'])
  return isObject(spec?.['template']) || isObject(spec?.['jobTemplate'])
}

/**
 * The first text that the controller of a list fills in. It takes the whole object for a template,
 * so `<<` means that everywhere, also in a script.
 */
export function firstFilledIn(
  value: Json | undefined,
  path: Path = [],
): { readonly path: Path; readonly action: string } | undefined {
  if (typeof value === 'string') {
    if (!value.includes('<<')) return undefined
    return { path, action: actionsOf(value).find((text) => text.startsWith('<<')) ?? '<<' }
  }
  const entries: readonly (readonly [string | number, Json | undefined])[] = isList(value)
    ? [...value.entries()]
    : isObject(value)
      ? Object.entries(value)
      : []
  for (const [step, item] of entries) {
    const here = [...path, step]
    const found =
      (typeof step === 'string' ? firstFilledIn(step, here) : undefined) ??
      firstFilledIn(item, here)
    if (found !== undefined) return found
  }
  return undefined
}

/** Jobs in the text of a `resourcesTemplate`, of which only rendering tells what they are. */
export function templateNotes(manifest: Manifest): readonly StampNote[] {
  if (!holdsObjects(manifest)) return []
  const steps = listAt(manifest.object, ['spec', 'steps']).map((_, index): Path => [
    'spec',
    'steps',
    index,
    'resourcesTemplate',
  ])
  return [['spec', 'resourcesTemplate'], ...steps].flatMap((path) => {
    const text = stringAt(manifest.object, path)
    if (text === undefined) return []
    return [...text.matchAll(JOB_LINE)].map((match) => textNote(manifest, path, text, match))
  })
}

/** `kind: Job` as a line of its own, also as the first one of a list item. */
const JOB_LINE = /^[ \t]*(?:- )?(?:kind|"kind"):[ \t]*["']?((?:Cron)?Job)["']?[ \t]*(?:#.*)?\r?$/gm

function textNote(manifest: Manifest, path: Path, text: string, match: RegExpExecArray): StampNote {
  const kind = match[1] ?? 'Job'
  const source = embeddedSource(manifest.document, [...manifest.root, ...path])
  const start = bytesOf(text.slice(0, match.index + match[0].indexOf('kind'))).length
  return {
    code: 'embedded',
    severity: 'info',
    place:
      source === undefined
        ? placeOf(manifest, path)
        : { source, span: { start, end: start + `kind: ${kind}`.length } },
    object: labelOf(manifest),
    text: `a ${kind} in its ${path.at(-1)} is left alone: it is text there, and only its controller makes objects of it`,
    remedy: `write it under resources, without << >>, if its name shall follow its content`,
  }
}

function labelOf({ kind, name, namespace }: Manifest): string {
  if (name === undefined) return kind
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`
}
