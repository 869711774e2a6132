import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { scenarioJsonSchema } from '../../src/cli/simulate/scenario-schema.ts'
import { traceJsonSchema } from '../../src/cli/simulate/trace-schema.ts'
import { folder, root, semel } from './cli.ts'

const first = path.join(root, 'fixtures/traces/kubernetes/002-backoff-never-limit0.json')
const trace = (): { [key: string]: unknown } => JSON.parse(readFileSync(first, 'utf8')) as never

describe('semel simulate --trace', () => {
  it('says of each trace whether the model agrees, and counts', async () => {
    const cwd = folder({ 'one.json': readFileSync(first, 'utf8') })
    const { code, out } = await semel('simulate --trace one.json', { cwd })
    expect(out).toBe('agreed   002-backoff-never-limit0\ntraces: 1 of 1\n')
    expect(code).toBe(0)
  })

  it('shows the first difference with both sides, and ends with 1', async () => {
    const changed = trace()
    const [job] = (changed['observed'] as { jobs: { pods: { exit: number }[] }[] }).jobs
    const [pod] = job?.pods ?? []
    if (pod !== undefined) pod.exit = 7
    const cwd = folder({ 'traces/one.json': JSON.stringify(changed) })
    const { code, out } = await semel('simulate --trace traces', { cwd })
    expect(out).toMatch(/differs {2}002-backoff-never-limit0/)
    expect(out).toMatch(/Job one J1, pod 1, exit code/)
    expect(out).toMatch(/recorded {2}7\n *model {5}1\n/)
    expect(out).toMatch(/traces: 0 of 1\n$/)
    expect(code).toBe(1)
  })

  it('writes every difference as JSON', async () => {
    const cwd = folder({ 'one.json': readFileSync(first, 'utf8') })
    const { out } = await semel('simulate --trace one.json -o json', { cwd })
    expect(JSON.parse(out)).toMatchObject({ format: 'semel-trace-verdicts/1', agreed: 1, of: 1 })
  })

  it('names the engine that it does not know', async () => {
    const cwd = folder({
      'one.json': JSON.stringify({ ...trace(), engine: { name: 'spinnaker' } }),
    })
    const { code, out } = await semel('simulate --trace one.json', { cwd })
    expect(out).toContain('not modelled (known: kubernetes')
    expect(code).toBe(1)
  })

  it.each([
    ['a cut file', '{"format": "job-trace/1"', /one\.json:1:\d+/],
    ['no format', '{}', /the trace has no format.*remedy +add format: "job-trace\/1"/s],
    [
      'a negative tolerance',
      JSON.stringify({ ...trace(), tolerance: { seconds: -1 } }),
      /tolerance\.seconds is -1/,
    ],
    [
      'a time as text',
      JSON.stringify({ ...trace(), events: [{ t: '0', do: 'apply' }] }),
      /events\[0\]\.t is "0"/,
    ],
    ['nothing', '', /holds nothing/],
  ])('refuses %s, with the place', async (_, text, expected) => {
    const cwd = folder({ 'one.json': text })
    const { code, err } = await semel('simulate --trace one.json', { cwd })
    expect(err).toMatch(expected)
    expect(code).toBe(2)
  })

  it('wants a path that exists', async () => {
    const { code, err } = await semel('simulate --trace nowhere', { cwd: folder({}) })
    expect(err).toContain('nowhere does not exist')
    expect(code).toBe(2)
  })

  it('has a JSON Schema for editors that is up to date', () => {
    const file = path.join(root, 'schema/job-trace.schema.json')
    const current = traceJsonSchema()
    if (process.env['UPDATE'] === '1') writeFileSync(file, current)
    expect(readFileSync(file, 'utf8')).toBe(current)
  })
})

describe('semel simulate --case', () => {
  const job = `apiVersion: batch/v1
kind: Job
metadata: {name: tidy, namespace: shop}
spec:
  ttlSecondsAfterFinished: 3600
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: "a:1"}]
`
  const scenario = (expect: string, more = ''): string => `format: job-scenario/1
horizon: 24h
engine: {kind: generic-reconciler, detects_deletion: [watch, poll-6h]}
workloads: [{job: shop/tidy, duration: 30m}]
events: [{at: 0h, apply: [job.yaml]}]
${more}expect: {runs_7d: ${expect}}
`

  it('counts runs, and ends with 0 when they are as expected', async () => {
    const wanted = '{watch: [{job: shop/tidy, started: 16}], poll: [{job: shop/tidy, started: 4}]}'
    const cwd = folder({ 'case/scenario.yaml': scenario(wanted), 'case/job.yaml': job })
    const { code, out } = await semel('simulate --case case', { cwd })
    expect(out).toMatch(/as expected {2}case \(20 runs\)\ncases: 1 of 1\n$/)
    expect(out).toMatch(
      /shop\/tidy\n {2}runs now, then every 90 min: 16 runs in 24 h, because the TTL/,
    )
    expect(code).toBe(0)
  })

  it('shows what was expected and what came, and ends with 1', async () => {
    const rows = '[{job: shop/tidy, started: 3, at_hours: [0, 1]}]'
    const cwd = folder({ 'a/one/scenario.yaml': scenario(rows), 'a/one/job.yaml': job })
    const { code, out } = await semel('simulate --case a', { cwd })
    expect(out).toMatch(
      /differs +one\n +variant watch, shop\/tidy, started\n +expected +3\n +got +16/,
    )
    expect(out).toMatch(/at hours\n +expected +0 1\n +got +0 1\.5 3 /)
    expect(out).toMatch(/cases: 0 of 1\n$/)
    expect(code).toBe(1)
  })

  it('writes every run as JSON', async () => {
    const cwd = folder({ 'case/scenario.yaml': scenario('[]'), 'case/job.yaml': job })
    const { out } = await semel('simulate --case case -o json', { cwd })
    const { cases } = JSON.parse(out) as { cases: { played: { runs: object[] }[] }[] }
    expect(cases[0]?.played[0]?.runs[0]).toMatchObject({
      job: 'tidy',
      startedAtSeconds: 0,
      outcome: 'complete',
      image: 'a:1',
    })
  })

  it.each([
    ['an unknown key', scenario('[]', 'jobs: []\n'), /has no key jobs/],
    ['a span that is none', scenario('[]').replace('24h', 'a day'), /horizon: "a day" is no span/],
    ['no engine', 'format: job-scenario/1\nhorizon: 1h\n', /the scenario has no engine/],
    ['a broken file', 'format: [', /scenario\.yaml:1:\d+/],
    ['an empty file', '', /is empty/],
  ])('refuses %s, with the place', async (_, text, expected) => {
    const cwd = folder({ 'case/scenario.yaml': text, 'case/job.yaml': job })
    const { code, err } = await semel('simulate --case case', { cwd })
    expect(err).toMatch(expected)
    expect(code).toBe(2)
  })

  it('proposes an engine that it knows', async () => {
    const text = scenario('[]').replace('generic-reconciler', 'flux-kustomisation')
    const cwd = folder({ 'case/scenario.yaml': text, 'case/job.yaml': job })
    const { code, err } = await semel('simulate --case case', { cwd })
    expect(err).toMatch(/engine\.kind is "flux-kustomisation"\. Did you mean flux-kustomization\?/)
    expect(code).toBe(2)
  })

  it.each([
    [
      'an interval of zero',
      '{kind: flux-kustomization, interval: 0s}',
      /interval: "0s" is no span above zero/,
    ],
    [
      'one of several',
      '{kind: flux-kustomization, interval: [1h, 0s]}',
      /interval\[1\]: "0s" is no span/,
    ],
    [
      'a version that nobody knows',
      '{kind: argocd, version: "9.9"}',
      /version: "9\.9" is no version/,
    ],
    ['a switch that is none', '{kind: argocd, selfHeal: maybe}', /selfHeal: "maybe" is neither/],
    [
      'an old Kubernetes',
      '{kind: kubernetes, kubernetes: "1.9"}',
      /kubernetes: "1\.9" is no version/,
    ],
  ])('refuses %s, with the place', async (_, engine, expected) => {
    const text = scenario('[]').replace(/engine: .*/, `engine: ${engine}`)
    const cwd = folder({ 'case/scenario.yaml': text, 'case/job.yaml': job })
    const { code, err } = await semel('simulate --case case', { cwd })
    expect(err).toMatch(expected)
    expect(err).toMatch(/scenario\.yaml:3:\d+/)
    expect(code).toBe(2)
  })

  it.each([
    ['what was refused', 'error: "field is ... immutable"', 0],
    ['what nobody said', 'error: "no such words"', 1],
    ['no error where one was', 'error: none', 1],
    ['nothing', 'error: null', 0],
    ['an object at the end', 'end_state: [{object: Job/shop/tidy, exists: true}]', 0],
    ['a field at the end', 'end_state: [{object: Job/shop/tidy, fields: {spec.suspend: true}}]', 1],
    ['a condition', 'end_state: [{object: Job/shop/tidy, conditions: {Complete: "True"}}]', 0],
    ['starts of the work', 'executions_of_the_work: 1', 0],
    ['how the Job ends', 'job_result: Failed', 1],
  ])('compares %s', async (_, expectation, expected) => {
    const text = `format: job-scenario/1
horizon: 24h
engine: {kind: kubernetes}
workloads: [{job: shop/tidy, duration: 1m}]
events:
  - {at: 0h, apply: [job.yaml]}
  - {at: 1h, apply: [commits/001h-job.yaml]}
expect: {${expectation}}
`
    const plain = job.replace('  ttlSecondsAfterFinished: 3600\n', '')
    const files = { 'job.yaml': plain, 'commits/001h-job.yaml': plain.replace('a:1', 'a:2') }
    const own = Object.entries(files).map(([name, content]) => [`case/${name}`, content])
    const cwd = folder({ ...Object.fromEntries(own), 'case/scenario.yaml': text })
    const { code, out } = await semel('simulate --case case', { cwd })
    expect(out).toMatch(/cases: \d of 1\n$/)
    expect(code).toBe(expected)
  })

  it('has a JSON Schema for editors that is up to date', () => {
    const file = path.join(root, 'schema/job-scenario.schema.json')
    const current = scenarioJsonSchema()
    if (process.env['UPDATE'] === '1') writeFileSync(file, current)
    expect(readFileSync(file, 'utf8')).toBe(current)
  })
})
