import { isObject, listAt, stringAt, type JsonObject } from '../../core/json.ts'
import { APPLICATIONS, REFRESH } from '../engines/argocd/application.ts'
import { applicationKinds, argocd, IDEALISED_DELAYS } from '../engines/argocd/index.ts'
import { bystanderKinds } from '../engines/kinds.ts'
import { fluxKinds, kustomizeController } from '../engines/kustomize-controller/index.ts'
import { KUSTOMIZATIONS, SOURCE_RESOURCES } from '../engines/kustomize-controller/kinds.ts'
import { objectsOf } from '../trace/manifests.ts'
import type { Files } from '../scenario/stage.ts'
import { withKustomizeImages } from './kustomize-images.ts'
import { Scene, type SceneOptions } from './testing.ts'

export { APPLICATIONS }

/** Second actors beside Argo CD with one Application `shop`, that renders overrides of images. */
export class ArgoScene extends Scene {
  constructor(files: Files, options: SceneOptions, app: JsonObject = {}) {
    const commits = new Map<string, Files>([['r0', files]])
    let head = 'r0'
    const engine = argocd({
      sources: {
        resolve: () => head,
        render: (source, revision) => ({ objects: rendered(commits.get(revision) ?? {}, source) }),
        nextChange: () => undefined,
      },
      kinds: applicationKinds,
      jitterSeconds: 0,
      delays: IDEALISED_DELAYS,
    })
    super({
      ...options,
      files,
      engines: [engine],
      kinds: [...applicationKinds, ...(options.kinds ?? [])],
      commit: (next, revision, scene) => {
        commits.set(revision, next)
        head = revision
        const patch = { metadata: { annotations: { [REFRESH]: 'normal' } } }
        scene.patch(APPLICATIONS, 'shop', patch, 'argocd')
      },
    })
    this.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } })
    const { annotations = {}, ...more } = app
    const source = { repoURL: 'git://git.example.test/shop', path: '.', kustomize: {} }
    this.create({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'shop', namespace: 'argocd', annotations },
      spec: { project: 'default', source, destination: { namespace: 'shop' }, ...more },
    })
  }
}

function rendered(files: Files, source: JsonObject): readonly JsonObject[] {
  const own = objectsOf('', files['.argocd-source-shop.yaml'] ?? '')[0] ?? {}
  const images = [source, own]
    .flatMap((one) => listAt(one, ['kustomize', 'images']))
    .filter((one) => typeof one === 'string')
  const objects = Object.entries(files)
    .filter(([path]) => !path.startsWith('.'))
    .flatMap(([path, text]) => objectsOf(path, text))
  return withKustomizeImages(objects, images)
}

const GITS = SOURCE_RESOURCES.get('GitRepository')

/** Second actors beside Flux with one Kustomization `shop`. */
export class FluxScene extends Scene {
  constructor(files: Files, options: SceneOptions, spec: JsonObject = {}) {
    const revisions = new Map<string, Files>()
    const engine = kustomizeController({ artifact: (revision) => revisions.get(revision) })
    super({
      ...options,
      files,
      engines: [engine],
      kinds: [...fluxKinds, ...bystanderKinds, ...(options.kinds ?? [])],
      commit: (next, revision, scene) => {
        revisions.set(revision, next)
        if (GITS === undefined) return
        const patch = { type: 'merge' as const, body: { status: { artifact: { revision } } } }
        scene.send({
          verb: 'patch',
          resource: GITS,
          namespace: 'shop',
          name: 'shop',
          subresource: 'status',
          patch,
        })
      },
    })
    const metadata = { name: 'shop', namespace: 'shop' }
    const source = { apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'GitRepository' }
    this.create({ ...source, metadata, spec: {} })
    this.commit(files)
    this.create({
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata,
      spec: { interval: '10m', path: './', sourceRef: { ...source, name: 'shop' }, ...spec },
    })
  }

  /** The message of its Ready condition. */
  get message(): string {
    const status = this.get(KUSTOMIZATIONS, 'shop')?.['status']
    const ready = listAt(status, ['conditions']).find(
      (one) => isObject(one) && one['type'] === 'Ready',
    )
    return stringAt(ready, ['message']) ?? ''
  }
}
