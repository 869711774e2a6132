import { isObject, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { objectsOf } from '../../trace/manifests.ts'
import type { Files } from '../../scenario/stage.ts'
import { imageText, type Image } from '../image.ts'
import { entryOf } from '../kustomize-images.ts'
import type { AppSettings, Watched } from './settings.ts'

export type SourceType = 'Kustomize' | 'Helm' | 'Directory'

/** IU-2: only Kustomize and Helm have a place where an image can be overridden. */
export function sourceTypeOf(app: KubeObject, files: Files): SourceType {
  const told = stringAt(app, ['status', 'sourceType'])
  if (told === 'Kustomize' || told === 'Helm' || told === 'Directory') return told
  const source = objectAt(app, ['spec', 'source']) ?? {}
  if (source['kustomize'] !== undefined) return 'Kustomize'
  if (source['helm'] !== undefined || source['chart'] !== undefined) return 'Helm'
  const here = (name: string): boolean => files[placed(app, name)] !== undefined
  if (here('Chart.yaml')) return 'Helm'
  const isKustomize = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'].some(here)
  return isKustomize ? 'Kustomize' : 'Directory'
}

function placed(app: KubeObject, name: string): string {
  const path = (stringAt(app, ['spec', 'source', 'path']) ?? '.').replace(/^\.?\/?/, '')
  return path === '' ? name : `${path.replace(/\/$/, '')}/${name}`
}

/** The image that the Application's own source asks for; undefined: it says nothing. */
export function imageInSpec(
  source: JsonObject,
  watched: Watched,
  type: SourceType,
): string | undefined {
  if (type === 'Kustomize') {
    const entry = entryOf(textsAt(source, ['kustomize', 'images']), watched.repository)
    return entry?.slice(entry.indexOf('=') + 1)
  }
  const { name, tag, spec } = watched.helm
  if (spec !== undefined) return parameter(source, spec)
  const [given, version] = [parameter(source, name), parameter(source, tag)]
  return given === undefined || version === undefined ? undefined : `${given}:${version}`
}

function parameter(source: JsonObject, name: string): string | undefined {
  const found = listAt(source, ['helm', 'parameters']).find(
    (one) => stringAt(one, ['name']) === name,
  )
  return stringAt(found, ['value'])
}

/** The source with an image in it, as the Application's spec or a file beside it has it. */
export function withImage(
  source: JsonObject,
  watched: Watched,
  image: Image,
  type: SourceType,
): JsonObject {
  if (type === 'Kustomize') {
    const images = textsAt(source, ['kustomize', 'images'])
    const name = watched.kustomizeName === undefined ? '' : `${watched.kustomizeName}=`
    const entry = `${name}${imageText(image)}`
    const old = entryOf(images, watched.repository)
    const next =
      old === undefined ? [...images, entry] : images.map((one) => (one === old ? entry : one))
    return { ...source, kustomize: { ...objectAt(source, ['kustomize']), images: next } }
  }
  const parameters = helmParameters(watched, image).reduce(
    merged,
    listAt(source, ['helm', 'parameters']).filter(isObject),
  )
  return { ...source, helm: { ...objectAt(source, ['helm']), parameters } }
}

function helmParameters({ helm, repository }: Watched, image: Image): readonly JsonObject[] {
  const { repository: _, ...version } = image
  const tag = imageText({ repository: '', ...version }).replace(/^[:@]/, '')
  const values =
    helm.spec === undefined
      ? [
          { name: helm.name, value: repository },
          { name: helm.tag, value: tag },
        ]
      : [{ name: helm.spec, value: imageText(image) }]
  return values.map((one) => ({ ...one, forceString: true }))
}

function merged(parameters: readonly JsonObject[], next: JsonObject): JsonObject[] {
  const isThere = parameters.some(({ name }) => name === next['name'])
  if (!isThere) return [...parameters, next]
  return parameters.map((one) => (one['name'] === next['name'] ? next : one))
}

/**
 * IU-6: the repository with the images in it: by default a file `.argocd-source-NAME.yaml` beside the
 * manifests. The same object when nothing would change: then nothing is committed.
 */
export function committed(
  files: Files,
  app: KubeObject,
  settings: AppSettings,
  changes: readonly (readonly [Watched, Image])[],
  type: SourceType,
): Files {
  const { target = '' } = settings
  if (target.startsWith('kustomization')) return inKustomization(files, app, target, changes)
  if (target.startsWith('helmvalues')) return inValues(files, app, target, changes)
  const path = placed(app, `.argocd-source-${app.metadata.name}.yaml`)
  const before = read(files, path)
  const after = changes.reduce<JsonObject>(
    (source, [watched, image]) => withImage(source, watched, image, type),
    before,
  )
  return written(files, path, before, after)
}

function inKustomization(
  files: Files,
  app: KubeObject,
  target: string,
  changes: readonly (readonly [Watched, Image])[],
): Files {
  const folder = target.split(':')[1] ?? '.'
  const place = folder.startsWith('/') ? folder.slice(1) : placed(app, folder)
  const path = normal(`${place}/kustomization.yaml`)
  const before = read(files, path)
  let images = listAt(before, ['images']).filter(isObject)
  for (const [{ repository, kustomizeName }, image] of changes) {
    const name = kustomizeName ?? repository
    const entry = {
      name,
      ...(name === repository ? {} : { newName: repository }),
      ...(image.tag === undefined ? {} : { newTag: image.tag }),
      ...(image.digest === undefined ? {} : { digest: image.digest }),
    }
    images = [...images.filter((one) => one['name'] !== name), entry]
  }
  return written(files, path, before, { ...before, images })
}

function inValues(
  files: Files,
  app: KubeObject,
  target: string,
  changes: readonly (readonly [Watched, Image])[],
): Files {
  const file = target.split(':')[1] ?? 'values.yaml'
  const path = normal(file.startsWith('/') ? file.slice(1) : placed(app, file))
  const before = read(files, path)
  let after = before
  for (const [watched, image] of changes) {
    for (const { name, value } of helmParameters(watched, image)) {
      if (typeof name === 'string') after = withValue(after, name.split('.'), value ?? null)
    }
  }
  return written(files, path, before, after)
}

function withValue(
  holder: JsonObject,
  [key = '', ...rest]: readonly string[],
  value: NonNullable<JsonObject[string]> | null,
): JsonObject {
  const inner = rest.length === 0 ? value : withValue(objectAt(holder, [key]) ?? {}, rest, value)
  return { ...holder, [key]: inner }
}

/** Without `.` and `..`. */
function normal(path: string): string {
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}

function read(files: Files, path: string): JsonObject {
  return objectsOf(path, files[path] ?? '')[0] ?? {}
}

function written(files: Files, path: string, before: JsonObject, after: JsonObject): Files {
  if (JSON.stringify(before) === JSON.stringify(after)) return files
  return { ...files, [path]: `${JSON.stringify(after, undefined, 2)}\n` }
}

function textsAt(holder: JsonObject, path: readonly string[]): readonly string[] {
  return listAt(holder, path).filter((one) => typeof one === 'string')
}
