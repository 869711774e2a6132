// Measures the cluster model: API operations a minute, bytes of a stored object, copies of a state.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { root, summary } from './measure.mjs'

const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }
const OPERATIONS = 20_000
const OBJECTS = 100_000
const COPIES = 200
const START = Date.UTC(2026, 0, 1)

/** The model as one file, from the sources: it is no entry point of the package. */
async function load() {
  const folder = mkdtempSync(join(tmpdir(), 'semel-bench-'))
  try {
    const bundle = await rolldown({ input: join(root, 'src/cluster/index.ts'), platform: 'node' })
    await bundle.write({ file: join(folder, 'cluster.mjs'), format: 'esm' })
    return await import(pathToFileURL(join(folder, 'cluster.mjs')).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {number} index */
function job(index) {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `job-${index}`,
      labels: { app: 'shop', 'semel.dev/once': 'true' },
      annotations: { 'semel.dev/fingerprint': `${index}`.padStart(64, '0') },
    },
    spec: {
      backoffLimit: 2,
      ttlSecondsAfterFinished: 3600,
      template: {
        metadata: { labels: { app: 'shop' } },
        spec: {
          restartPolicy: 'Never',
          containers: [
            {
              name: 'main',
              image: 'registry.example/shop:1',
              command: ['migrate'],
              env: [{ name: 'STEP', value: `${index}` }],
            },
          ],
        },
      },
    },
  }
}

const place = { resource: JOBS, namespace: 'default', user: 'bench' }

/** One life of a Job at the API: created, read, patched, its status written, applied, deleted. */
function live(cluster, index) {
  const name = `job-${index}`
  const at = { ...place, name }
  const background = { propagationPolicy: 'Background' }
  const requests = [
    { verb: 'create', ...place, body: job(index) },
    { verb: 'get', ...at },
    { verb: 'patch', ...at, patch: { type: 'merge', body: { spec: { suspend: true } } } },
    {
      verb: 'patch',
      ...at,
      subresource: 'status',
      patch: { type: 'merge', body: { status: { active: 1 } } },
    },
    {
      verb: 'patch',
      ...at,
      patch: {
        type: 'apply',
        body: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, labels: { a: 'b' } } },
      },
      options: { fieldManager: 'gitops', force: true },
    },
    { verb: 'delete', ...at, options: background },
  ]
  for (const request of requests) {
    const answer = cluster.request(request)
    if (answer.code >= 300) throw new Error(`${request.verb}: ${answer.body.message}`)
  }
  return requests.length
}

function operations(createCluster) {
  const cluster = createCluster({ now: START, actors: [] })
  let done = 0
  for (let index = 0; done < OPERATIONS / 4; index += 1) done += live(cluster, index)
  const startedAt = performance.now()
  done = 0
  for (let index = 0; done < OPERATIONS; index += 1) done += live(cluster, index)
  return (done / (performance.now() - startedAt)) * 60_000
}

function memory(createCluster) {
  const cluster = createCluster({ now: START, actors: [] })
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  for (let index = 0; index < OBJECTS; index += 1) {
    cluster.request({ verb: 'create', ...place, body: job(index) })
  }
  globalThis.gc?.()
  const bytes = process.memoryUsage().heapUsed - before
  if (cluster.api.read.list(JOBS, 'default').length !== OBJECTS) throw new Error('objects are lost')
  return bytes
}

function copies(createCluster) {
  const cluster = createCluster({ now: START, actors: [] })
  for (let index = 0; index < 1000; index += 1) {
    cluster.request({ verb: 'create', ...place, body: job(index) })
  }
  const times = []
  const withWrite = []
  for (let round = 0; round < COPIES; round += 1) {
    const startedAt = performance.now()
    const twin = cluster.copy()
    times.push(performance.now() - startedAt)
    const wroteAt = performance.now()
    twin.request({ verb: 'create', ...place, body: job(10_000) })
    withWrite.push(performance.now() - wroteAt)
  }
  return { copy: summary(times), write: summary(withWrite) }
}

/** The section of the benchmark page. */
export async function measureCluster() {
  const { createCluster } = await load()
  const { copy, write } = copies(createCluster)
  const perMinute = Math.round(operations(createCluster)).toLocaleString('en')
  const bytes = memory(createCluster)
  const each = Math.round(bytes / OBJECTS).toLocaleString('en')
  return [
    '| what | measured | goal |',
    '|---|---|---|',
    `| API operations a minute on one core | ${perMinute} | 1,000,000 |`,
    `| ${OBJECTS.toLocaleString('en')} stored Jobs | ${Math.round(bytes / 1e6)} MB (${each} bytes each) | 300 MB |`,
    `| copy of a cluster with 1,000 Jobs | ${copy.medianMs.toFixed(3)} ms | 1 ms |`,
    `| first write after the copy | ${write.medianMs.toFixed(3)} ms | |`,
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await measureCluster())
