import { at, isObject, listAt, objectAt, stringAt, type Json } from '../../core/json.ts'
import type { Manifest } from '../../core/manifest.ts'

/** How a carrier installs a chart: what stands on the command line of `helm template`. */
export interface Release {
  readonly name: string
  readonly namespace: string
  /** Files beside those of the chart, as the carrier writes them. */
  readonly valueFiles: readonly string[]
  /** Values that stand in the carrier, as YAML or JSON. */
  readonly values: string | undefined
  /** `--set` arguments. */
  readonly set: readonly string[]
  /** Values that are not in the repository, so the result may differ. */
  readonly unknown: readonly string[]
}

/** The release of a chart that nobody installs from this repository. */
const PLAIN_RELEASE: Release = {
  name: 'release-name',
  namespace: 'default',
  valueFiles: [],
  values: undefined,
  set: [],
  unknown: [],
}

/** `isChart` tells whether a path that the carrier names is the chart in question. */
export function releaseOf(
  carrier: Manifest | undefined,
  isChart: (path: string) => boolean,
): Release {
  if (carrier === undefined) return PLAIN_RELEASE
  if (carrier.apiVersion.startsWith('helm.toolkit.fluxcd.io/')) return helmRelease(carrier)
  if (carrier.apiVersion.startsWith('argoproj.io/')) return application(carrier, isChart)
  return { ...PLAIN_RELEASE, name: carrier.name ?? PLAIN_RELEASE.name }
}

function helmRelease({ object, name = PLAIN_RELEASE.name, namespace }: Manifest): Release {
  const target = stringAt(object, ['spec', 'targetNamespace'])
  const values = objectAt(object, ['spec', 'values'])
  const from = listAt(object, ['spec', 'valuesFrom'])
  const fallback = target === undefined ? name : `${target}-${name}`
  return {
    name: stringAt(object, ['spec', 'releaseName']) ?? fallback,
    namespace: target ?? namespace ?? PLAIN_RELEASE.namespace,
    valueFiles: strings(listAt(object, ['spec', 'chart', 'spec', 'valuesFiles'])),
    values: values === undefined ? undefined : jsonOf(values),
    set: [],
    unknown: from.map((item) => {
      const kind = stringAt(item, ['kind']) ?? 'object'
      return `${kind} ${stringAt(item, ['name']) ?? ''}`.trim()
    }),
  }
}

function application(carrier: Manifest, isChart: (path: string) => boolean): Release {
  const { object, name = PLAIN_RELEASE.name } = carrier
  const sources = [...listAt(object, ['spec', 'sources']), at(object, ['spec', 'source']) ?? null]
  const source = sources.find((one) => isChart(stringAt(one, ['path']) ?? ''))
  const helm = objectAt(source, ['helm'])
  const values = objectAt(helm, ['valuesObject'])
  const files = strings(listAt(helm, ['valueFiles']))
  return {
    name: stringAt(helm, ['releaseName']) ?? name,
    namespace:
      stringAt(helm, ['namespace']) ??
      stringAt(object, ['spec', 'destination', 'namespace']) ??
      PLAIN_RELEASE.namespace,
    // `$ref/...` is a file of another source.
    valueFiles: files.filter((file) => !file.startsWith('$') && !file.includes('://')),
    values: values === undefined ? stringAt(helm, ['values']) : jsonOf(values),
    set: listAt(helm, ['parameters']).flatMap(parameter),
    unknown: files.filter((file) => file.startsWith('$') || file.includes('://')),
  }
}

function parameter(item: Json): readonly string[] {
  const name = stringAt(item, ['name'])
  const value = stringAt(item, ['value'])
  if (name === undefined || value === undefined) return []
  const forced = at(item, ['forceString']) === true
  return [forced ? '--set-string' : '--set', `${name}=${value.replaceAll(/[\\,{}]/g, '\\$&')}`]
}

function strings(items: readonly Json[]): readonly string[] {
  return items.filter((item) => typeof item === 'string')
}

/** JSON is YAML; whole numbers beyond 2^53 stay as they are written. */
function jsonOf(value: Json): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(jsonOf).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const entries = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [`${JSON.stringify(key)}:${jsonOf(item)}`],
  )
  return `{${entries.join(',')}}`
}
