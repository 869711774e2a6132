import { stringAt, type JsonObject } from '../../../core/json.ts'
import { compareText } from '../../../core/text.ts'
import { HELM_POLICY, helmPolicies, readHelmHook } from '../../../engines/hooks.ts'
import { annotationOf } from '../../../engines/metadata.ts'
import { renderChart, type ChartFault, type ChartRelease } from '../../go-template/chart.ts'
import { objectsOf } from '../../trace/manifests.ts'
import type { ActionPorts, ChartInput, Release, ReleaseHook } from './contract.ts'
import { compareKinds, inInstallOrder } from './order.ts'

const WEIGHT = 'helm.sh/hook-weight'

export type Rendered = Pick<Release, 'chart' | 'config' | 'manifest' | 'hooks'> & {
  /** Of the crds folder: created once, before everything else, by an installation. */
  readonly crds: readonly JsonObject[]
}

/** The chart's objects, taken apart into the manifest and the hooks (H-1). */
export function rendered(
  chart: ChartInput,
  release: ChartRelease,
  { render }: ActionPorts,
): Rendered | ChartFault {
  const found = render?.(chart, release) ?? renderChart(chart.files, chart.values, release)
  if ('fault' in found) return found
  const name = stringAt(found.metadata, ['name']) ?? ''
  const manifest: JsonObject[] = []
  const hooks: ReleaseHook[] = []
  for (const { path, text, objects = objectsOf(path, text) } of found.files) {
    for (const object of objects) {
      const reading = readHelmHook(object)
      if (reading.kind === 'none') manifest.push(object)
      // A word that Helm does not know, and the object is left out of the release.
      if (reading.kind === 'hook') hooks.push(hookOf(object, `${name}/${path}`, reading.phases))
    }
  }
  return {
    chart: found.metadata,
    config: chart.values,
    manifest: inInstallOrder(manifest),
    hooks: hooks.sort((one, other) => compareKinds(kindOf(one.object), kindOf(other.object))),
    crds: crdsOf(chart.files),
  }
}

/** H-1: by weight, then by name; what is equal stays in the order of kinds and files. */
export function hooksOf({ hooks }: Pick<Release, 'hooks'>, event: string): readonly ReleaseHook[] {
  return hooks
    .filter(({ events }) => events.includes(event))
    .sort(
      (one, other) =>
        one.weight - other.weight || compareText(nameOf(one.object), nameOf(other.object)),
    )
}

/** H-3: the default gives way to any list, even to one without a known word. */
function hookOf(object: JsonObject, path: string, events: readonly string[]): ReleaseHook {
  const { deletePolicies } = helmPolicies(object)
  const isDefault = annotationOf(object, HELM_POLICY) === undefined
  return {
    object,
    path,
    events,
    weight: weightOf(annotationOf(object, WEIGHT)),
    deletePolicies: isDefault ? ['before-hook-creation'] : deletePolicies,
  }
}

/** What is no whole number counts as 0. */
function weightOf(text: string | undefined): number {
  return text !== undefined && /^[-+]?\d+$/.test(text) ? Number(text) : 0
}

function crdsOf(files: ChartInput['files']): readonly JsonObject[] {
  return Object.keys(files)
    .filter((path) => path.startsWith('crds/'))
    .sort(compareText)
    .flatMap((path) => objectsOf(path, files[path] ?? ''))
}

export function nameOf(object: JsonObject): string {
  return stringAt(object, ['metadata', 'name']) ?? ''
}

export function kindOf(object: JsonObject): string {
  return stringAt(object, ['kind']) ?? ''
}
