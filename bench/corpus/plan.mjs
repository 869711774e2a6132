import * as carriers from './carriers.mjs'
import * as settings from './settings.mjs'
import * as workloads from './workloads.mjs'

/**
 * The corpus as data: files with manifests in them, laid out like a GitOps repository.
 *   apps/TEAM/APP/     Deployments, Services, ConfigMaps, Jobs, CronJobs, Lists of Jobs
 *   crds/              custom resource definitions
 *   clusters/NAME/     Flux Kustomizations, HelmReleases, ResourceSets
 *   argocd/            Applications
 * Nine of ten folders below apps are carried by a Flux Kustomization or an Application, some by two;
 * other Kustomizations and Applications take their manifests from another repository.
 */

/** Of 20,000 documents. */
const SHARES = {
  deployment: 5_400,
  configMap: 4_600,
  crd: 174,
  service: 3_600,
  serviceAccount: 1_090,
  job: 1_330,
  cronJob: 260,
  jobList: 44,
  fluxHere: 800,
  fluxElsewhere: 1_000,
  applicationHere: 600,
  applicationElsewhere: 700,
  helmRelease: 600,
  resourceSet: 22,
  kustomizationFile: 380,
}
const WHOLE = 20_000
const APP_FOLDERS = 1_380
const CLUSTERS = ['prod', 'staging', 'edge']
const CRD_FIELDS = 250

/**
 * @param {ReturnType<import('./random.mjs').randomFrom>} random
 * @param {number} documents
 * @returns {{ path: string, manifests: object[] }[]}
 */
export function planCorpus(random, documents) {
  const share = (name) => Math.max(1, Math.round((SHARES[name] * documents) / WHOLE))
  const folders = appFolders(random, Math.max(2, Math.round((APP_FOLDERS * documents) / WHOLE)))
  const files = []

  const kustomized = Math.min(share('kustomizationFile'), folders.length)
  const inApps = workloadsOf(random, share, folders)
  const filler = Math.max(0, documents - countOthers(share, kustomized) - inApps.length)
  for (let n = 0; n < filler; n += 1) inApps.push(deploymentAt(random, random.pick(folders), n))
  files.push(...appFiles(random, { folders, manifests: inApps, kustomized }))

  files.push(...crdFiles(random, share('crd')))
  files.push(...carrierFiles(random, share, folders))
  return files
}

function countOthers(share, kustomized) {
  const names = ['crd', 'fluxHere', 'fluxElsewhere', 'applicationHere', 'applicationElsewhere']
  names.push('helmRelease', 'resourceSet')
  return names.reduce((sum, name) => sum + share(name), kustomized)
}

function appFolders(random, count) {
  const folders = []
  for (let n = 0; n < count; n += 1) {
    const team = `team-${String(n % 40).padStart(2, '0')}`
    const app = `${random.words(1)}-${random.words(1)}-${n}`
    folders.push({ path: `apps/${team}/${app}`, app, namespace: team })
  }
  return folders
}

function deploymentAt(random, folder, n) {
  const name = `${folder.app}-extra-${n}`
  return { folder, manifest: workloads.deployment(random, { name, namespace: folder.namespace }) }
}

/** Every folder gets something; the rest falls where chance puts it. */
function workloadsOf(random, share, folders) {
  const made = []
  const add = (count, make) => {
    for (let n = 0; n < count; n += 1) {
      const folder = random.pick(folders)
      const name = `${folder.app}-${random.words(1)}-${made.length}`
      made.push({ folder, manifest: make(name, folder.namespace) })
    }
  }
  for (const [n, folder] of folders.entries()) made.push(deploymentAt(random, folder, `first-${n}`))
  const at = (make) => (name, namespace) => make(random, { name, namespace })
  add(share('configMap'), (name, namespace) =>
    settings.configMap(random, { name, namespace, decoy: random.chance(0.03) }),
  )
  add(share('service'), at(workloads.service))
  add(share('serviceAccount'), at(settings.serviceAccount))
  add(share('job'), (name, namespace) => jobAt(random, name, namespace))
  add(share('cronJob'), at(workloads.cronJob))
  add(share('jobList'), (name, namespace) => ({
    apiVersion: 'v1',
    kind: 'List',
    items: [1, 2, 3].map((n) => jobAt(random, `${name}-${n}`, namespace)),
  }))
  return made
}

function jobAt(random, base, namespace) {
  const annotations = random.chance(0.15)
    ? {
        'argocd.argoproj.io/hook': random.pick(['PreSync', 'PostSync', 'Sync']),
        'argocd.argoproj.io/hook-delete-policy': random.pick([
          'HookSucceeded',
          'BeforeHookCreation',
          'BeforeHookCreation,HookSucceeded',
        ]),
      }
    : undefined
  const name = workloads.jobName(random, base)
  return workloads.job(random, { name, namespace, annotations })
}

/** One file for most folders, two or three for some; a kustomization.yaml names them in some. */
function appFiles(random, { folders, manifests, kustomized }) {
  const byFolder = new Map(folders.map((folder) => [folder, []]))
  for (const { folder, manifest } of manifests) byFolder.get(folder).push(manifest)
  const withKustomization = new Set(random.shuffle([...folders]).slice(0, kustomized))
  const files = []
  for (const [folder, list] of byFolder) {
    const names = random.shuffle(['all.yaml', 'app.yaml', 'jobs.yml', 'config.yaml'])
    const used = names.slice(0, Math.min(list.length, random.chance(0.18) ? 2 : 1))
    const here = used.map((name) => ({ path: `${folder.path}/${name}`, manifests: [] }))
    for (const manifest of random.shuffle(list)) random.pick(here).manifests.push(manifest)
    const filled = here.filter((file) => file.manifests.length > 0)
    files.push(...filled)
    if (withKustomization.has(folder)) {
      const listed = filled.map((file) => file.path.slice(folder.path.length + 1))
      const manifest = carriers.kustomizationFile(random, { files: listed })
      files.push({ path: `${folder.path}/kustomization.yaml`, manifests: [manifest] })
    }
  }
  return files
}

function crdFiles(random, count) {
  const files = []
  for (let n = 0; n < count; n += 1) {
    const plural = `${random.words(1)}-${random.words(1)}s-${n}`
    const fields = random.between(CRD_FIELDS / 4, (CRD_FIELDS * 7) / 4)
    const manifest = settings.customResourceDefinition(random, { plural, fields })
    if (n % 2 === 0) files.push({ path: `crds/crd-${n}.yaml`, manifests: [manifest] })
    else files.at(-1).manifests.push(manifest)
  }
  return files
}

function carrierFiles(random, share, folders) {
  const places = carriedPlaces(random, folders, share('fluxHere') + share('applicationHere'))
  const here = { flux: places.slice(0, share('fluxHere')), argo: places.slice(share('fluxHere')) }
  const flux = []
  for (let n = 0; n < share('fluxHere') + share('fluxElsewhere'); n += 1) {
    const path = here.flux[n]
    const dependsOn = n > 0 && random.chance(0.2) ? `apps-${random.below(n)}` : undefined
    flux.push(carriers.fluxKustomization(random, { name: `apps-${n}`, path, dependsOn }))
  }
  for (let n = 0; n < share('helmRelease'); n += 1) {
    const namespace = `team-${n % 40}`
    flux.push(carriers.helmRelease(random, { name: `release-${n}`, namespace }))
  }
  for (let n = 0; n < share('resourceSet'); n += 1) {
    flux.push(carriers.resourceSet(random, { name: `tenants-${n}`, namespace: 'tenants' }))
  }
  const argo = []
  for (let n = 0; n < share('applicationHere') + share('applicationElsewhere'); n += 1) {
    const recurse = random.chance(0.3)
    argo.push(carriers.application(random, { name: `app-${n}`, path: here.argo[n], recurse }))
  }
  return [
    ...filesOf(random.shuffle(flux), (n) => `clusters/${CLUSTERS[n % 3]}/sync-${n}.yaml`),
    ...filesOf(random.shuffle(argo), (n) => `argocd/apps-${n}.yaml`),
  ]
}

/** A tenth of the folders is carried by nobody; what is left over carries a folder once more. */
function carriedPlaces(random, folders, carriers) {
  const paths = random.shuffle(folders.map((folder) => folder.path))
  const once = Math.min(carriers, Math.floor(paths.length * 0.9))
  return random.shuffle([...paths.slice(0, once), ...paths.slice(0, carriers - once)])
}

function filesOf(manifests, pathOf) {
  const perFile = 25
  const files = []
  for (let from = 0; from < manifests.length; from += perFile) {
    files.push({ path: pathOf(files.length), manifests: manifests.slice(from, from + perFile) })
  }
  return files
}
