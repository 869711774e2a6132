// Asks a real API server what src/cluster/fields must answer, and writes it down in
// fixtures/cluster/fields. Only for a throw-away control plane on this machine.
//
//   node scripts/record-fields.mjs PORT
import { mkdirSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { decodeRows, patchRows, patchTargets, schemaRows } from './record-fields/rows.mjs'
import { randomSteps, sequences } from './record-fields/sequences.mjs'

const port = Number(process.argv[2])
if (!(port > 0)) {
  console.error('usage: node scripts/record-fields.mjs PORT')
  process.exit(2)
}
const folder = new URL('../fixtures/cluster/fields/', import.meta.url)
const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false })

const RESOURCES = {
  Job: ['batch/v1', '/apis/batch/v1/namespaces/default/jobs'],
  CronJob: ['batch/v1', '/apis/batch/v1/namespaces/default/cronjobs'],
  Deployment: ['apps/v1', '/apis/apps/v1/namespaces/default/deployments'],
  ConfigMap: ['v1', '/api/v1/namespaces/default/configmaps'],
  Secret: ['v1', '/api/v1/namespaces/default/secrets'],
  Service: ['v1', '/api/v1/namespaces/default/services'],
  Pod: ['v1', '/api/v1/namespaces/default/pods'],
  Lease: ['coordination.k8s.io/v1', '/apis/coordination.k8s.io/v1/namespaces/default/leases'],
}
const CONTENT = {
  create: 'application/json',
  update: 'application/json',
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
}

function request(method, path, body, contentType = CONTENT.create) {
  const data = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { Authorization: 'Bearer admintoken', Accept: 'application/json' }
  if (data !== undefined) {
    headers['Content-Type'] = contentType
    headers['Content-Length'] = Buffer.byteLength(data)
  }
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers, agent }
    const sent = https.request(options, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part) => (text += part))
      answer.on('end', () => {
        const warnings = [...(answer.headers.warning ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)]
        resolve({
          code: answer.statusCode,
          body: JSON.parse(text),
          warnings: warnings.map(([, quoted]) => JSON.parse(`"${quoted}"`)),
        })
      })
    })
    sent.on('error', reject)
    sent.end(data)
  })
}

/** What differs from run to run: identities and times of creation, and the managers. */
function masked(object) {
  const metadata = { ...object.metadata }
  for (const key of [
    'uid',
    'resourceVersion',
    'creationTimestamp',
    'generation',
    'managedFields',
  ]) {
    delete metadata[key]
  }
  const text = JSON.stringify({ ...object, metadata })
  const uid = object.metadata?.uid
  return JSON.parse(uid === undefined ? text : text.replaceAll(uid, 'UID'))
}

function outcome({ code, body, warnings }) {
  const shown = warnings.length > 0 ? { warnings } : {}
  if (body.kind !== 'Status') return { code, object: masked(body), ...shown }
  return { code, message: body.message, ...shown }
}

async function decoding() {
  const rows = []
  for (const [name, kind, body] of decodeRows) {
    const [apiVersion, path] = RESOURCES[kind]
    const sent = typeof body === 'string' ? body : { apiVersion, kind, ...body }
    const answer = await request('POST', `${path}?dryRun=All`, sent, CONTENT.create)
    rows.push({ name, kind, body: sent, ...outcome(answer) })
  }
  return rows
}

async function patching() {
  const lives = {}
  for (const [kind, object] of Object.entries(patchTargets)) {
    const [apiVersion, path] = RESOURCES[kind]
    await request('DELETE', `${path}/${object.metadata.name}`)
    const made = await request('POST', path, { apiVersion, kind, ...object }, CONTENT.create)
    lives[kind] = masked(made.body)
  }
  const rows = []
  for (const [kind, patch, body] of patchRows) {
    const path = `${RESOURCES[kind][1]}/${patchTargets[kind].metadata.name}?dryRun=All`
    const answer = await request('PATCH', path, JSON.stringify(body), CONTENT[patch])
    const { object, ...rest } = outcome(answer)
    const after = object === undefined ? {} : { after: difference(lives[kind], object) }
    rows.push({ kind, patch, body, ...rest, ...after })
  }
  return { lives, rows }
}

async function refusedConfigurations() {
  const rows = []
  for (const [name, kind, body] of schemaRows) {
    const [apiVersion, path] = RESOURCES[kind]
    const config = { apiVersion, kind, ...body }
    const url = `${path}/${body.metadata.name}?fieldManager=a&dryRun=All`
    const answer = await request('PATCH', url, config, CONTENT.apply)
    rows.push({ name, kind, config, code: answer.code, message: answer.body.message })
  }
  return rows
}

/** Each step with the whole object after it, as a merge patch on the one before where it exists. */
async function playing(kind, name, steps) {
  const [apiVersion, path] = RESOURCES[kind]
  const url = `${path}/${name}`
  await request('PATCH', url, { metadata: { finalizers: null } }, CONTENT.merge)
  await request('DELETE', url, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 })
  const played = []
  let live
  for (const make of steps) {
    const step = typeof make === 'function' ? make(live) : make
    const { door, manager, force = false, subresource } = step
    const body = { apiVersion, kind, ...step.body, metadata: { name, ...step.body.metadata } }
    const query = `?fieldManager=${manager}${door === 'apply' ? `&force=${force}` : ''}`
    const below = subresource === undefined ? '' : `/${subresource}`
    const method = door === 'create' ? 'POST' : door === 'update' ? 'PUT' : 'PATCH'
    const target = door === 'create' ? path : `${url}${below}`
    const { code, body: answer } = await request(method, target + query, body, CONTENT[door])
    // An update is told by what it changes: it repeats the object otherwise.
    const told = door === 'update' ? { change: difference(live, body) } : { body }
    const row = { door, manager, ...(force ? { force } : {}), ...told, code }
    if (subresource !== undefined) row.subresource = subresource
    if (answer.kind === 'Status') {
      row.message = answer.message
      const conflicts = answer.details?.causes?.filter(
        ({ reason }) => reason === 'FieldManagerConflict',
      )
      if (conflicts?.length > 0)
        row.causes = conflicts.map(({ message, field }) => [message, field])
    } else {
      row.after = difference(live, answer)
      live = answer
    }
    played.push(row)
  }
  await request('PATCH', url, { metadata: { finalizers: null } }, CONTENT.merge)
  await request('DELETE', url, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 })
  return { kind, name, steps: played }
}

/** RFC 7386, the other way round. */
function difference(before, after) {
  if (before === undefined || !isMap(before) || !isMap(after)) return after
  const patch = {}
  for (const key of Object.keys(before)) if (after[key] === undefined) patch[key] = null
  for (const [key, value] of Object.entries(after)) {
    if (JSON.stringify(before[key]) === JSON.stringify(value)) continue
    patch[key] = isMap(value) && isMap(before[key]) ? difference(before[key], value) : value
  }
  return patch
}

function isMap(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function write(file, value) {
  mkdirSync(folder, { recursive: true })
  const lines = Array.isArray(value)
    ? `[\n${value.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`
    : `${JSON.stringify(value)}\n`
  writeFileSync(new URL(file, folder), lines)
}

const decoded = await decoding()
write('decode.json', decoded)
const { lives, rows } = await patching()
write('patch-targets.json', lives)
write('patch.json', rows)
const refused = await refusedConfigurations()
write('schema.json', refused)
const played = []
for (const { kind, name, steps } of sequences) played.push(await playing(kind, name, steps))
write('sequences.json', played)
const random = []
for (const { kind, name, steps } of randomSteps()) random.push(await playing(kind, name, steps))
write('random.json', random)
const count = (list) => list.reduce((sum, { steps }) => sum + steps.length, 0)
console.log(
  `${decoded.length} bodies, ${rows.length} patches, ${refused.length} configurations, ` +
    `${count(played)} steps, ${count(random)} random steps`,
)
agent.destroy()
