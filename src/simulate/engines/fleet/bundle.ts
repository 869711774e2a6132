import {
  booleanAt,
  integerAt,
  listAt,
  objectAt,
  stringAt,
  type JsonObject,
} from '../../../core/json.ts'
import { canonicalJson } from '../../../core/canonical-json.ts'
import { sha256Hex } from '../../../core/hash.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { renderChart, type ChartFault, type RenderedChart } from '../../go-template/chart.ts'
import type { ActionPorts, ChartInput } from '../helm/contract.ts'

export interface Settings {
  readonly release: string
  readonly namespace: string
  readonly isPaused: boolean
  readonly correctsDrift: boolean
  readonly driftForce: boolean
  readonly force: boolean
  readonly takeOwnership: boolean
  readonly atomic: boolean
  /** Undefined: Helm waits for hooks only (E-2). */
  readonly timeoutMs: number | undefined
  readonly waitForJobs: boolean
  readonly keepsResources: boolean
  readonly dependsOn: readonly string[]
}

export function settingsOf({ spec, metadata }: KubeObject): Settings {
  const isOn = (...path: string[]): boolean => booleanAt(spec, path) === true
  const timeout = integerAt(spec, ['helm', 'timeoutSeconds']) ?? 0
  const dependsOn = listAt(spec, ['dependsOn']).flatMap((one) => stringAt(one, ['name']) ?? [])
  return {
    release: stringAt(spec, ['helm', 'releaseName']) ?? metadata.name,
    namespace:
      stringAt(spec, ['targetNamespace']) ??
      stringAt(spec, ['namespace']) ??
      stringAt(spec, ['defaultNamespace']) ??
      'default',
    isPaused: isOn('paused'),
    correctsDrift: isOn('correctDrift', 'enabled'),
    driftForce: isOn('correctDrift', 'force'),
    force: isOn('helm', 'force'),
    takeOwnership: isOn('helm', 'takeOwnership'),
    atomic: isOn('helm', 'atomic'),
    timeoutMs: timeout > 0 ? timeout * 1000 : undefined,
    waitForJobs: isOn('helm', 'waitForJobs'),
    keepsResources: isOn('keepResources'),
    dependsOn,
  }
}

/** Content and options (E-1): what is deployed when one of the two changes. */
export function deploymentId({ spec }: KubeObject): string {
  const { resources, ...options } = (spec ?? {}) as JsonObject
  // Switches of the bundle itself, and how drift is met, are no options of the deployment.
  const { paused: _, dependsOn: __, correctDrift: ___, diff: ____, ...own } = options
  return `s-${sha256Hex(canonicalJson(resources ?? []))}:${sha256Hex(canonicalJson(own))}`
}

type Files = { readonly [path: string]: string }

/** A Bundle from a folder of a GitRepo: fleet.yaml is its spec, all other files its resources. */
export function bundleOf(name: string, namespace: string, files: Files): JsonObject {
  const own = files['fleet.yaml'] ?? files['fleet.yml']
  const [spec = {}] = own === undefined ? [] : objectsOf('fleet.yaml', own)
  const resources = Object.entries(files)
    .filter(([path]) => !/^fleet\.ya?ml$/.test(path))
    .map(([path, content]) => ({ name: path, content }))
  return {
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'Bundle',
    metadata: { name, namespace },
    spec: { ...spec, resources },
  }
}

/** A GitRepo is polled every 15 s by default (E-1): when a commit is seen, in milliseconds. */
export function seenAt(commit: number, firstPoll: number, everyMs = 15_000): number {
  const polls = Math.max(0, Math.ceil((commit - firstPoll) / everyMs))
  return firstPoll + polls * everyMs
}

export interface Content {
  readonly chart: ChartInput
  readonly render: NonNullable<ActionPorts['render']>
}

/** Every bundle becomes a Helm chart; a text where this model cannot tell what is in it. */
export function contentOf({ spec, metadata }: KubeObject): Content | string {
  const files: { [path: string]: string } = {}
  for (const resource of listAt(spec, ['resources'])) {
    const path = (stringAt(resource, ['name']) ?? '').replace(/^\.\//, '')
    files[path] = stringAt(resource, ['content']) ?? ''
  }
  if (stringAt(spec, ['helm', 'repo']) !== undefined) return 'a chart of a repository is not here'
  const folder = (stringAt(spec, ['helm', 'chart']) ?? '').replace(/^\.\//, '').replace(/\/$/, '')
  const prefix = folder === '' || folder === '.' ? '' : `${folder}/`
  const values = objectAt(spec, ['helm', 'values']) ?? {}
  if (files[`${prefix}Chart.yaml`] !== undefined) {
    const own = Object.entries(files).flatMap(([path, text]) =>
      path.startsWith(prefix) ? [[path.slice(prefix.length), text] as const] : [],
    )
    const chart = { files: Object.fromEntries(own), values }
    return {
      chart,
      render: (input, release) => renderChart(input.files, input.values, release),
    }
  }
  if (folder !== '') return `the chart ${folder} is not among the files of the bundle`
  if (Object.keys(files).some((path) => /(^|\/)kustomization\.ya?ml$/.test(path))) {
    return 'a kustomization inside of a bundle is not rendered by this model'
  }
  return { chart: { files, values }, render: plain(metadata.name) }
}

/** Plain manifests are templates without templating. */
function plain(name: string): Content['render'] {
  return ({ files, values }): RenderedChart | ChartFault => ({
    files: Object.entries(files)
      .filter(([path]) => /\.(ya?ml|json)$/.test(path))
      .map(([path, text]) => ({ path: `templates/${path}`, text })),
    metadata: { apiVersion: 'v2', name, version: '0.0.0' },
    values,
  })
}
