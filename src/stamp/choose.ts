import { isObject, listAt, objectAt, stringAt, type JsonObject } from '../core/json.ts'
import type { Manifest } from '../core/manifest.ts'
import { fieldPath } from '../core/json.ts'
import { annotationOf, STAMP } from './annotations.ts'
import { firstFilledIn, type Holder } from './embedded.ts'
import { firstUnrendered, mayBeUnrendered } from './rendered.ts'
import type { NoteCode, StampOptions } from './stamp-types.ts'

/** stamp: its name follows its content. leave: it keeps its name, and why. */
export type Choice =
  | { readonly kind: 'stamp' }
  | {
      readonly kind: 'leave'
      readonly code: NoteCode
      readonly why: string
      readonly remedy: string
    }

const TAKEN: Choice = { kind: 'stamp' }
const ASK = `set the annotation ${STAMP}: "true" on it if its name shall follow its content`

/** Whether the name of a Job or CronJob follows its content; `holder` is what it stands in. */
export function choose(manifest: Manifest, options: StampOptions, holder?: Holder): Choice {
  const { object, kind } = manifest
  const wish = annotationOf(object, STAMP)
  if (wish === 'false') {
    return leave(
      'opted-out',
      `it says ${STAMP}: "false"`,
      'remove the annotation to have it stamped',
    )
  }
  const embedded = holder === undefined ? undefined : ofHolder(object, holder)
  if (embedded !== undefined) return embedded
  const isAsked = wish === 'true'
  if (isPatch(object))
    return patchOf('it holds no image, so it can only be a patch of a Job elsewhere')
  return (
    ofCronJob(kind, isAsked || options.cronJobs === true) ??
    ofHook(object, isAsked || options.hooks === true) ??
    ofName(object, isAsked || options.generateNames === true) ??
    ofTemplate(manifest, options.rendered === true) ??
    TAKEN
  )
}

/** A patch is no Job: it changes one that stands elsewhere. */
export function patchOf(why: string): Choice {
  return leave(
    'patch',
    why,
    'stamp what kustomize builds of it: a name that is made before the patch does not follow it',
  )
}

function leave(code: NoteCode, why: string, remedy: string): Choice {
  return { kind: 'leave', code, why, remedy }
}

/** What a ResourceSet lists is applied as it is, but for what `<< >>` fills in. */
function ofHolder(object: JsonObject, { label, isList }: Holder): Choice | undefined {
  if (!isList) {
    return leave(
      'embedded',
      `it stands inside ${label}, whose controller makes the Job of it`,
      'let its name follow its content by the means of that controller, or apply it as a manifest of its own',
    )
  }
  const found = firstFilledIn(object)
  if (found === undefined) return undefined
  return leave(
    'not-rendered',
    `${fieldPath(found.path)} holds ${short(found.action)}, which ${label} fills in in the cluster, so its content is not known here`,
    'put the inputs that change it into its name (name: migrate-<< inputs.tag >>), or keep << >> out of it',
  )
}

function ofCronJob(kind: string, isAsked: boolean): Choice | undefined {
  if (kind !== 'CronJob' || isAsked) return undefined
  return leave(
    'cron-job',
    'a CronJob can be changed under its name, and under a new one it would lose its history and its last schedule time',
    ASK,
  )
}

function ofHook(object: JsonObject, isAsked: boolean): Choice | undefined {
  const hook = hookOf(object)
  if (hook === undefined || isAsked) return undefined
  return leave(
    'hook',
    `it is a hook (${hook}), which its engine runs on its own occasions, whatever the name`,
    ASK,
  )
}

function ofName(object: JsonObject, isAsked: boolean): Choice | undefined {
  if (object['metadata'] !== undefined && hasName(object)) return undefined
  if (stringAt(object, ['metadata', 'generateName']) === undefined) {
    return leave('no-name', 'it has no name', 'give it a name')
  }
  if (isAsked) return undefined
  return leave(
    'generate-name',
    'generateName asks for another name each time, so it runs whenever it is created',
    `give it a name, or set the annotation ${STAMP}: "true" on it to make its name follow its content`,
  )
}

function hasName(object: JsonObject): boolean {
  const name = objectAt(object, ['metadata'])?.['name']
  return name !== undefined && name !== null && name !== ''
}

function ofTemplate({ object, file }: Manifest, isRendered: boolean): Choice | undefined {
  if (file.template !== undefined) {
    return leave('not-rendered', 'its file is a template', 'stamp what it renders to')
  }
  // Escapes can spell an action in disguise; nobody writes one so.
  if (!mayBeUnrendered(file.source.bytes)) return undefined
  const found = firstUnrendered(object, isRendered)
  if (found === undefined) return undefined
  const { path, action } = found
  return leave(
    'not-rendered',
    `${fieldPath(path)} holds ${short(action)}, so its content is not known before that is replaced`,
    isRendered
      ? 'stamp after everything is rendered'
      : 'stamp what it renders to; if nothing replaces this text, say so with --rendered',
  )
}

function short(action: string): string {
  const line = action.replaceAll(/\s+/g, ' ')
  return line.length > 40 ? `${line.slice(0, 37)}...` : line
}

/** The annotation that makes the object a hook. */
export function hookOf(object: JsonObject): string | undefined {
  return HOOKS.find((key) => annotationOf(object, key) !== undefined)
}

const HOOKS: readonly string[] = ['argocd.argoproj.io/hook', 'helm.sh/hook']

/** A Job of which no container has an image is refused by every API server: it is a patch. */
function isPatch(object: JsonObject): boolean {
  const path = object['kind'] === 'CronJob' ? ['spec', 'jobTemplate', 'spec'] : ['spec']
  const containers = listAt(object, [...path, 'template', 'spec', 'containers'])
  return !containers.some((container) => isObject(container) && hasImage(container))
}

function hasImage(container: JsonObject): boolean {
  const image = container['image']
  return image !== undefined && image !== null && image !== ''
}
