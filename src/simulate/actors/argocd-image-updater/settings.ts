import {
  booleanAt,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type JsonObject,
} from '../../../core/json.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Strategy } from '../choose.ts'
import { imageOf } from '../image.ts'

export const PREFIX = 'argocd-image-updater.argoproj.io'

/** An image that is watched for one Application. */
export interface Watched {
  readonly repository: string
  /** Of versions, or the very tag. */
  readonly constraint?: string
  readonly strategy: Strategy
  readonly allows: (tag: string) => boolean
  /** Also where nothing runs it. */
  readonly isForced: boolean
  readonly helm: { readonly name: string; readonly tag: string; readonly spec?: string }
  /** The name that kustomize knows it by, where that is another one. */
  readonly kustomizeName?: string
}

export interface AppSettings {
  readonly images: readonly Watched[]
  readonly method: 'argocd' | 'git'
  /** `kustomization`, `kustomization:../base`, `helmvalues:values.yaml`; left out: its own file. */
  readonly target?: string
}

/** IU-1: what an ImageUpdater says of an Application, or its own annotations. */
export function appSettings(
  app: KubeObject,
  updaters: readonly KubeObject[],
): AppSettings | undefined {
  if (updaters.length === 0) return fromAnnotations(app)
  for (const updater of updaters) {
    if (updater.metadata.namespace !== app.metadata.namespace) continue
    for (const ref of listAt(updater, ['spec', 'applicationRefs']).filter(isObject)) {
      if (!matches(stringAt(ref, ['namePattern']) ?? '', app.metadata.name)) continue
      if (!selects(objectAt(ref, ['labelSelectors', 'matchLabels']), app)) continue
      return booleanAt(ref, ['useAnnotations']) === true
        ? fromAnnotations(app)
        : fromReference(ref, objectAt(updater, ['spec']) ?? {})
    }
  }
  return undefined
}

function selects(labels: JsonObject | undefined, { metadata }: KubeObject): boolean {
  return Object.entries(labels ?? {}).every(([key, value]) => metadata.labels?.[key] === value)
}

function fromReference(ref: JsonObject, spec: JsonObject): AppSettings {
  const common = { ...objectAt(spec, ['commonUpdateSettings']), ...commonOf(ref) }
  const writeBack = objectAt(ref, ['writeBackConfig']) ?? objectAt(spec, ['writeBackConfig'])
  const target = stringAt(writeBack, ['gitConfig', 'writeBackTarget'])
  return {
    images: listAt(ref, ['images'])
      .filter(isObject)
      .map((image) =>
        watched(stringAt(image, ['imageName']) ?? '', {
          ...common,
          ...commonOf(image),
          helm: objectAt(image, ['manifestTargets', 'helm']),
          kustomizeName: stringAt(image, ['manifestTargets', 'kustomize', 'name']),
        }),
      ),
    method: methodOf(stringAt(writeBack, ['method'])),
    ...(target === undefined ? {} : { target }),
  }
}

function commonOf(holder: JsonObject): JsonObject {
  return objectAt(holder, ['commonUpdateSettings']) ?? {}
}

function fromAnnotations(app: KubeObject): AppSettings | undefined {
  const { annotations = {} } = app.metadata
  const list = annotations[`${PREFIX}/image-list`]
  if (list === undefined) return undefined
  const target = annotations[`${PREFIX}/write-back-target`]
  return {
    images: list
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map((entry) => {
        const equals = entry.indexOf('=')
        const alias = equals < 0 ? '' : `${entry.slice(0, equals).trim()}.`
        const of = (key: string): string | undefined =>
          annotations[`${PREFIX}/${alias}${key}`] ?? annotations[`${PREFIX}/${key}`]
        return watched(entry.slice(equals + 1).trim(), {
          updateStrategy: of('update-strategy'),
          allowTags: of('allow-tags'),
          ignoreTags: (of('ignore-tags') ?? '').split(',').map((one) => one.trim()),
          forceUpdate: of('force-update') === 'true',
          helm: {
            name: of('helm.image-name'),
            tag: of('helm.image-tag'),
            spec: of('helm.image-spec'),
          },
          kustomizeName: of('kustomize.image-name'),
        })
      }),
    method: methodOf(annotations[`${PREFIX}/write-back-method`]),
    ...(target === undefined ? {} : { target }),
  }
}

/** `git:secret:argocd/creds` is Git. */
function methodOf(text: string | undefined): AppSettings['method'] {
  return text?.startsWith('git') === true ? 'git' : 'argocd'
}

function watched(text: string, settings: JsonObject): Watched {
  const { repository, tag } = imageOf(text)
  const allowed = stringAt(settings, ['allowTags'])
  const ignored = listAt(settings, ['ignoreTags']).filter((one) => typeof one === 'string')
  const spec = stringAt(settings, ['helm', 'spec'])
  const kustomizeName = stringAt(settings, ['kustomizeName'])
  return {
    repository,
    ...(tag === undefined ? {} : { constraint: tag }),
    strategy: strategyOf(stringAt(settings, ['updateStrategy'])),
    allows: (name) =>
      isAllowed(allowed, name) && !ignored.some((glob) => glob !== '' && matches(glob, name)),
    isForced: booleanAt(settings, ['forceUpdate']) ?? false,
    helm: {
      name: stringAt(settings, ['helm', 'name']) ?? 'image.name',
      tag: stringAt(settings, ['helm', 'tag']) ?? 'image.tag',
      ...(spec === undefined ? {} : { spec }),
    },
    ...(kustomizeName === undefined ? {} : { kustomizeName }),
  }
}

/** `latest` and `name` are old spellings; an unknown one counts as the default. */
function strategyOf(text: string | undefined): Strategy {
  if (text === 'newest-build' || text === 'latest') return 'newest-build'
  if (text === 'alphabetical' || text === 'name') return 'alphabetical'
  return text === 'digest' ? 'digest' : 'semver'
}

function isAllowed(rule: string | undefined, tag: string): boolean {
  const pattern = rule?.startsWith('regexp:') === true ? rule.slice('regexp:'.length) : undefined
  if (pattern === undefined) return true
  try {
    return new RegExp(pattern).test(tag)
  } catch {
    return false
  }
}

/** A shell pattern for the whole text. */
function matches(glob: string, text: string): boolean {
  const pattern = glob
    .replaceAll(/[.+^${}()|\\]/g, String.raw`\$&`)
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
  return new RegExp(`^${pattern}$`).test(text)
}
