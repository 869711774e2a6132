import { objectAt, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import { succeeded } from '../../../cluster/api/request.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { refusalOf, Round, shown } from '../causes.ts'
import { newestOf } from '../choose.ts'
import { imageOf, imageText, type Image } from '../image.ts'
import type { Registry } from '../registry.ts'
import type { Git } from '../second-actor.ts'
import { liveImages } from './live-images.ts'
import type { AppSettings, Watched } from './settings.ts'
import { committed, imageInSpec, sourceTypeOf, withImage, type SourceType } from './write-back.ts'

export const NAME = 'argocd-image-updater'
export const APPLICATIONS: ResourceId = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  resource: 'applications',
}

export interface Updating {
  readonly io: Io<never>
  readonly registry: Registry
  readonly git: Git
  /** As people write it: `2m`. */
  readonly interval: string
}

/** One look at one Application; it tells something only where it changes something. */
export function update(app: KubeObject, settings: AppSettings, updating: Updating): void {
  const { io, git } = updating
  const type = sourceTypeOf(app, git.files())
  if (type === 'Directory') return
  const source = objectAt(app, ['spec', 'source']) ?? {}
  const live = liveImages(app, io.read).map(imageOf)
  const changes = settings.images.flatMap((watched): (readonly [Watched, Image])[] => {
    const image = newImage(live, watched, updating)
    if (image === undefined) return []
    // IU-5: what the spec says already is not written again, whatever old pods used.
    return imageInSpec(source, watched, type) === imageText(image) ? [] : [[watched, image]]
  })
  if (changes.length === 0) return
  const carrier = shown(app)
  const names = changes.map(([, image]) => imageText(image)).join(' and ')
  const words = `its look every ${updating.interval} found ${names} in the registry`
  const options = { actor: NAME, carrier, rule: 'IU-1', effect: 'updated images' }
  const round = new Round(io, { ...options, trigger: { kind: 'interval', words } })
  if (settings.method === 'git') commit(app, settings, changes, type, { round, git })
  else override(app, source, changes, type, { round, io })
}

/** IU-3, IU-4: the newest image that is allowed, where another one of its repository is live. */
function newImage(
  images: readonly Image[],
  watched: Watched,
  { io, registry }: Updating,
): Image | undefined {
  const { repository, strategy, constraint, allows, isForced } = watched
  const live = images.find((image) => image.repository === repository)
  if (live === undefined && !isForced) return undefined
  const tags = registry.tags(repository, io.now)?.filter(({ name }) => allows(name))
  const newest = newestOf(tags ?? [], strategy, constraint)
  if (newest === undefined) return undefined
  if (strategy === 'digest') {
    if (live?.digest === newest.digest) return undefined
    return { repository, tag: newest.name, digest: newest.digest }
  }
  if (live?.digest === undefined && live?.tag === newest.name) return undefined
  return { repository, tag: newest.name }
}

/** IU-5: parameters of the Application itself. */
function override(
  app: KubeObject,
  source: JsonObject,
  changes: readonly (readonly [Watched, Image])[],
  type: SourceType,
  { round, io }: { readonly round: Round; readonly io: Io<never> },
): void {
  const next = changes.reduce(
    (made, [watched, image]) => withImage(made, watched, image, type),
    source,
  )
  const { namespace = '', name } = app.metadata
  const answer = io.request({
    verb: 'patch',
    resource: APPLICATIONS,
    namespace,
    name,
    patch: { type: 'merge', body: { spec: { source: next } } },
    options: { fieldManager: NAME },
  })
  const images = changes.map(([, image]) => imageText(image)).join(', ')
  const effect = succeeded(answer) ? `set ${images}` : `was refused: ${refusalOf(answer)}`
  round.did('IU-5', effect, shown(app))
}

/** IU-6: a commit, unless the file says so already. */
function commit(
  app: KubeObject,
  settings: AppSettings,
  changes: readonly (readonly [Watched, Image])[],
  type: SourceType,
  { round, git }: { readonly round: Round; readonly git: Git },
): void {
  const before = git.files()
  const files = committed(before, app, settings, changes, type)
  if (files === before) return
  const images = changes.map(([, image]) => imageText(image)).join(', ')
  round.did('IU-6', `committed ${images}`, shown(app))
  const message = `build: automatic update of ${app.metadata.name}`
  git.commit({ author: NAME, message, files })
}
