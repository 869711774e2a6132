// Measures the cluster model: API operations a minute, bytes of a stored object, copies of a state.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { root, summary } from './measure.mjs'

const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }
const OPERATIONS = 60_000
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

const name = (index) => `job-${index}`
const at = (index) => ({ ...place, name: name(index) })
const merge = (body) => ({ type: 'merge', body })
const applied = (index, body) => ({
  verb: 'patch',
  ...at(index),
  patch: { type: 'apply', body },
  options: { fieldManager: 'gitops', force: true },
})
const status = (index, body) => ({
  verb: 'patch',
  ...at(index),
  subresource: 'status',
  patch: merge({ status: body }),
})
const deleted = (index) => ({
  verb: 'delete',
  ...at(index),
  options: { propagationPolicy: 'Background' },
})

/** Nothing but writes, each of another kind and each a real change. */
function writes(index) {
  const labels = { metadata: { name: name(index), labels: { a: 'b' } } }
  return [
    { verb: 'create', ...place, body: job(index) },
    { verb: 'patch', ...at(index), patch: merge({ spec: { suspend: true } }) },
    status(index, { terminating: 0 }),
    applied(index, { apiVersion: 'batch/v1', kind: 'Job', ...labels }),
    deleted(index),
  ]
}

/** A Job as GitOps engines and controllers treat it: mostly read, mostly applied as it is. */
function life(index) {
  const get = { verb: 'get', ...at(index) }
  return [
    applied(index, job(index)),
    get,
    status(index, { terminating: 0 }),
    ...[1, 2, 3, 4].flatMap(() => [get, applied(index, job(index))]),
    deleted(index),
  ]
}

function ask(cluster, requests) {
  for (const request of requests) {
    const answer = cluster.request(request)
    if (answer.code >= 300) throw new Error(`${request.verb}: ${answer.body.message}`)
  }
  return requests.length
}

/** By processor time: other processes on the machine do not count. */
function operations(createCluster, requestsOf) {
  const cluster = createCluster({ now: START, actors: [] })
  let done = 0
  for (let index = 0; done < OPERATIONS / 4; index += 1) done += ask(cluster, requestsOf(index))
  const from = process.cpuUsage()
  done = 0
  for (let index = 0; done < OPERATIONS; index += 1) done += ask(cluster, requestsOf(index))
  const { user, system } = process.cpuUsage(from)
  return (done / (user + system)) * 60_000_000
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
  const [written, lived] = [writes, life].map((requestsOf) =>
    Math.round(operations(createCluster, requestsOf)).toLocaleString('en'),
  )
  const bytes = memory(createCluster)
  const each = Math.round(bytes / OBJECTS).toLocaleString('en')
  return [
    '| what | measured | goal |',
    '|---|---|---|',
    `| API operations a minute of processor time, Jobs read and applied as by engines | ${lived} | 1,000,000 |`,
    `| the same, changing writes only | ${written} | |`,
    `| ${OBJECTS.toLocaleString('en')} stored Jobs | ${Math.round(bytes / 1e6)} MB (${each} bytes each) | 300 MB |`,
    `| copy of a cluster with 1,000 Jobs | ${copy.medianMs.toFixed(3)} ms | 1 ms |`,
    `| first write after the copy | ${write.medianMs.toFixed(3)} ms | |`,
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await measureCluster())
