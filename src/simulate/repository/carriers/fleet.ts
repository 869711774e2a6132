import { at, isObject, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Subject } from '../../../ownership/subject.ts'
import { resolvePath } from '../../../ownership/tree.ts'
import { chartFiles, jobChart, merged, valuesIn } from '../charts.ts'
import { chartFolder, chartLanes } from '../chart-lanes.ts'
import { jobsOf, namespacesOf, unknownLanes } from '../jobs.ts'
import { readText } from '../others.ts'
import {
  fileText,
  folderOf,
  picked,
  templatedField,
  type Around,
  type Load,
  type Part,
} from '../part.ts'

const STAGE = 'rancher-fleet'

const FIELDS = ['defaultNamespace', 'namespace', 'correctDrift', 'paused', 'keepResources', 'name']
const HELM_FIELDS = [
  'releaseName',
  'force',
  'atomic',
  'takeOwnership',
  'timeoutSeconds',
  'waitForJobs',
  'maxHistory',
]

/** A bundle in a folder of its own: its fleet.yaml, and its chart or its Jobs beside it. */
export function fleet(load: Load, around: Around): Part {
  const { carrier, subjects } = load
  const isRepo = carrier?.['kind'] === 'GitRepo'
  const spec = isRepo ? objectAt(carrier, ['spec']) : carrier
  const options = picked(spec, FIELDS)
  const helm = objectAt(spec, ['helm'])
  const open = templatedField(options, 'fleet.yaml')
  const namespace =
    stringAt(spec, ['namespace']) ??
    stringAt(spec, ['defaultNamespace']) ??
    stringAt(spec, ['targetNamespace']) ??
    'default'
  if (open !== undefined) {
    const unknown = `${open.field} is ${open.text}, which only rendering can tell`
    return {
      kind: STAGE,
      carriers: [],
      files: {},
      lanes: unknownLanes(subjects, unknown, namespace),
    }
  }
  const folder = bundleName(load.applied?.carrier.path ?? '')
  const chart = isRepo ? undefined : chartPart(load, { helm, namespace }, around)
  const jobs = chart === undefined ? jobsOf(subjects, around, { namespace }) : undefined
  const lanes = chart?.lanes ?? jobs?.lanes ?? []
  const dependsOn = listAt(spec, ['dependsOn'])
    .filter(isObject)
    .filter((one) => around.isPlayed('Bundle', '', stringAt(one, ['name']) ?? ''))
  const own: JsonObject = {
    ...options,
    ...(isRepo && stringAt(spec, ['targetNamespace']) !== undefined ? { namespace } : {}),
    ...(dependsOn.length === 0 ? {} : { dependsOn }),
    helm: { ...picked(helm, HELM_FIELDS), ...chart?.helm },
  }
  return {
    kind: STAGE,
    carriers: [],
    files: {
      [`${folder}/fleet.yaml`]: fileText(own),
      ...prefixed(folder, chart?.files ?? {}),
      ...folderOf(folder, jobs?.objects ?? [], around),
    },
    lanes,
    namespaces: namespacesOf(
      lanes.map(({ object }) => object),
      namespace,
    ),
    ...(chart?.notes === undefined ? {} : { notes: chart.notes }),
  }
}

/** A name from the path, so that folders stay apart. */
function bundleName(path: string): string {
  const name = path.replace(/\/?fleet\.yaml$/, '').replace(/\.ya?ml$/, '')
  return slug(name === '' ? 'bundle' : name)
}

/** As the model calls the bundle that it makes of the folder. */
export function bundleLabel({ applied }: Subject): string {
  return `Bundle fleet-local/${slug(`repo/${bundleName(applied?.carrier.path ?? '')}`)}`
}

function slug(text: string): string {
  const plain = text.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-')
  return plain.replaceAll(/^-+|-+$/g, '').slice(0, 53)
}

function prefixed(
  folder: string,
  files: { readonly [path: string]: string },
): { [path: string]: string } {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`${folder}/chart/${path}`, text]),
  )
}

function chartPart(
  load: Load,
  { helm, namespace }: { readonly helm: JsonObject | undefined; readonly namespace: string },
  around: Around,
): (Pick<Part, 'files' | 'lanes' | 'notes'> & { readonly helm: JsonObject }) | undefined {
  const { subjects, applied } = load
  const [first] = subjects
  const folder = first === undefined ? undefined : chartFolder(first, around)
  if (folder === undefined) return undefined
  const home = around.world.tree.below(applied?.carrier.path ?? '').replace(/\/?[^/]*$/, '')
  const texts = listAt(helm, ['valuesFiles']).map((file) => {
    const path = typeof file === 'string' ? resolvePath(home, file) : undefined
    return path === undefined ? undefined : readText(path, around)
  })
  if (texts.includes(undefined) || listAt(helm, ['valuesFrom']).length > 0) return undefined
  const values = merged([
    ...texts.map((text) => valuesIn(text ?? '', around)),
    objectAt(helm, ['values']) ?? {},
  ])
  if (/\$\{|\{\{/.test(JSON.stringify(at(helm, ['values']) ?? {}, plain))) return undefined
  const name = stringAt(helm, ['releaseName']) ?? bundleName(applied?.carrier.path ?? '')
  const made = jobChart(chartFiles(folder, around), values, {
    name,
    namespace,
    revision: 1,
    isInstall: true,
  })
  if ('fault' in made) return undefined
  const told = chartLanes(subjects, made, { folder, namespace, around })
  return {
    files: { ...made.files, ...told.files },
    lanes: told.lanes,
    notes: told.notes,
    helm: { chart: './chart', values },
  }
}

function plain(_: string, part: unknown): unknown {
  return typeof part === 'bigint' ? Number(part) : part
}
