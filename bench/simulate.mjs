// Measures the engines' models: a simulated year, and whether what an event costs stays the same.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { root } from './measure.mjs'

const START = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000
const DAY = 24 * HOUR
const COUNTS = [10, 100, 1000, 10_000]
/** So many Jobs lie in one Application or Kustomization of the table. */
const TOGETHER = 100
const TTL_SECONDS = 600

const entry = `
export { createCluster } from '${root}/src/cluster/index.ts'
export { IDEALISED } from '${root}/src/cluster/actor.ts'
export { controllerManager } from '${root}/src/cluster/controllers/index.ts'
export { kubelet } from '${root}/src/cluster/kubelet/kubelet.ts'
export { annotationScript } from '${root}/src/cluster/kubelet/annotation-script.ts'
export { argocdStage } from '${root}/src/simulate/scenario/stages/argocd.ts'
export { fluxKustomization } from '${root}/src/simulate/scenario/stages/flux-kustomization.ts'
`

/** Each Job works one to five minutes, by its number. */
function job(index, ttl) {
  const metadata = { name: `job-${index}`, namespace: 'shop', labels: { app: 'shop' } }
  const play = { 'play/duration': `${(60 + (index % 240)) * 1000}` }
  const container = {
    name: 'main',
    image: 'registry.example/shop:1',
    command: ['migrate'],
    env: [{ name: 'STEP', value: `${index}` }],
  }
  const template = {
    metadata: { annotations: play },
    spec: { restartPolicy: 'Never', containers: [container] },
  }
  const kept = ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }
  return JSON.stringify({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata,
    spec: { backoffLimit: 2, ...kept, template },
  })
}

function application(name, path) {
  const source = { repoURL: 'git://git.example/shop', targetRevision: 'main', path }
  const spec = { project: 'default', source, destination: { namespace: 'shop' } }
  const syncPolicy = { automated: { selfHeal: true } }
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: { ...spec, syncPolicy },
  }
}

function kustomization(name, path) {
  const sourceRef = { kind: 'GitRepository', name: 'shop' }
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace: 'flux-system' },
    spec: { interval: '10m', prune: true, path: `./${path}`, sourceRef },
  }
}

const engines = {
  argocd: {
    stage: 'argocdStage',
    carrier: application,
    settings: { kind: 'argocd', refresh: '60s' },
  },
  flux: {
    stage: 'fluxKustomization',
    carrier: kustomization,
    settings: { kind: 'flux-kustomization' },
  },
}

/** One run in a process of its own, which tells what it took. */
async function run({ engine, count, together, ttl, until }) {
  const model = await import(pathToFileURL(process.env.SEMEL_BENCH_MODEL).href)
  const { stage: name, carrier, settings } = engines[engine]
  const files = {}
  const carriers = []
  for (let index = 0; index < count; index += 1) {
    const folder = `part-${Math.floor(index / together)}`
    if (index % together === 0) carriers.push(carrier(folder, folder))
    files[`${folder}/job-${index}.yaml`] = job(index, ttl)
  }
  const input = { settings, carriers, changes: {}, files, start: START, tools: {} }
  const stage = model[name].stage({ ...input, timing: 'idealised' })
  let events = 0
  let runs = 0
  const cluster = model.createCluster({
    now: START,
    latencies: model.IDEALISED,
    kinds: stage.kinds,
    actors: [...model.controllerManager(), model.kubelet(model.annotationScript), ...stage.actors],
    listener: {
      write({ type, resource }) {
        events += 1
        if (type === 'ADDED' && resource.resource === 'pods') runs += 1
      },
    },
  })
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }
  const resource = { group: '', version: 'v1', resource: 'namespaces' }
  cluster.request({ verb: 'create', resource, body, user: 'bench' })
  const from = process.cpuUsage()
  stage.prepare(cluster)
  stage.commit(cluster, 'r1', files)
  cluster.runUntil(START + until)
  const { user, system } = process.cpuUsage(from)
  const cpuSeconds = (user + system) / 1e6
  return { events, runs, cpuSeconds, peakMb: process.resourceUsage().maxRSS / 1000 }
}

function measured(model, options) {
  const args = [fileURLToPath(import.meta.url), '--one', JSON.stringify(options)]
  const env = { ...process.env, SEMEL_BENCH_MODEL: model }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

const number = (value) => Math.round(value).toLocaleString('en')
const NAMES = { argocd: 'Argo CD, refresh every minute', flux: 'Flux, every 10 minutes' }

/** The section of the benchmark page. */
export async function measureSimulate() {
  const folder = mkdtempSync(join(tmpdir(), 'semel-bench-'))
  try {
    const model = join(folder, 'model.mjs')
    const input = join(folder, 'entry.ts')
    writeFileSync(input, entry)
    const bundle = await rolldown({ input, platform: 'node' })
    await bundle.write({ file: model, format: 'esm' })
    const lines = [
      '1,000 Jobs in one Application or Kustomization, one simulated year, nothing changes after the first run:',
      '',
      '| what | processor time | goal | peak memory | goal |',
      '|---|---|---|---|---|',
    ]
    for (const engine of ['argocd', 'flux']) {
      const year = { engine, count: 1000, together: 1000, until: 365 * DAY }
      const { cpuSeconds, peakMb } = measured(model, year)
      const cells = [`${cpuSeconds.toFixed(1)} s`, '10 s', `${Math.round(peakMb)} MB`, '300 MB']
      lines.push(`| ${NAMES[engine]} | ${cells.join(' | ')} |`)
    }
    lines.push('', ...table(model))
    return lines.join('\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The same for more and more Jobs that come back; the last column would grow if cost did. */
function table(model) {
  const lines = [
    `Jobs with a TTL of ${TTL_SECONDS} s, ${TOGETHER} in each Application or Kustomization, half a simulated hour; an event is a write:`,
    '',
    '| engine | Jobs | runs | events | processor time | for an event | peak memory |',
    '|---|---|---|---|---|---|---|',
  ]
  for (const engine of ['argocd', 'flux']) {
    for (const count of COUNTS) {
      const options = { engine, count, together: TOGETHER, ttl: TTL_SECONDS, until: HOUR / 2 }
      const { events, runs, cpuSeconds, peakMb } = measured(model, options)
      const each = `${number((cpuSeconds / events) * 1e6)} µs`
      const cells = [number(count), number(runs), number(events), `${cpuSeconds.toFixed(1)} s`]
      lines.push(`| ${NAMES[engine]} | ${cells.join(' | ')} | ${each} | ${Math.round(peakMb)} MB |`)
    }
  }
  return lines
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [flag, options] = process.argv.slice(2)
  if (flag === '--one') console.log(JSON.stringify(await run(JSON.parse(options))))
  else console.log(await measureSimulate())
}
