import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { isObject, listAt, stringAt, type Json, type JsonObject } from '../../src/core/json.ts'
import { compareText } from '../../src/core/text.ts'
import { semel } from '../cli/cli.ts'
import { helm3Path, helm4Path, oraclesMissing, runOracle } from '../oracles.ts'
import type { Body } from './rig/client.ts'
import { hasCondition, kubectl, newNamespace, real, until } from './rig/real.ts'

/**
 * What the names are for: three charts in the shape of public ones (test/real/charts), rendered by
 * Helm, stamped, and applied to a real API server. A change that counts makes one Job, anything
 * else makes none.
 */
const here = real()
const { client } = here
afterAll(() => client.close())

interface Chart {
  readonly name: string
  readonly jobs: readonly string[]
  /** One covered field, and the one Job that has it. */
  readonly change: string
  readonly changes: string
  /** Values that say the same in other words. */
  readonly respelled: readonly string[]
}

const charts: readonly Chart[] = [
  {
    name: 'identity',
    jobs: ['shop-init', 'shop-setup'],
    change: 'setupJob.additionalArgs[0]=--init-projections=false',
    changes: 'shop-setup',
    respelled: ['setupJob.resources.requests.cpu=0.1', 'setupJob.resources.limits.memory=1024Mi'],
  },
  {
    name: 'broker',
    jobs: ['shop-cluster-init', 'shop-ledgers-init'],
    change: 'extraInitCommand=bin/broker create-tenant shop;',
    changes: 'shop-cluster-init',
    respelled: [
      'metadata.resources.requests.cpu=100m',
      'metadata.resources.requests.memory=65536Ki',
    ],
  },
  {
    name: 'workflow',
    jobs: ['shop-schema-setup', 'shop-schema-update'],
    change: 'extraEnv.SKIP_ADD_CUSTOM_SEARCH_ATTRIBUTES=true',
    changes: 'shop-schema-update',
    respelled: ['stores.default.port=5432'],
  },
]

const ways = [
  { way: 'client-side apply', args: ['apply'] },
  { way: 'server-side apply', args: ['apply', '--server-side', '--field-manager=pipeline'] },
]

const rows = charts.flatMap((chart) =>
  ways.map(({ way, args }) => ({ ...chart, chart, way, args })),
)
const reason = oraclesMissing === undefined ? '' : ` (not run: ${oraclesMissing})`

describe.skipIf(oraclesMissing !== undefined).each(rows)(
  `the chart $name, stamped and put in by $way${reason}`,
  ({ chart, args }) => {
    let namespace = ''
    let before: readonly Body[] = []
    beforeAll(async () => {
      namespace = await newNamespace(client, chart.name)
    })
    const apply = async (manifests: string): Promise<readonly Body[]> => {
      const answer = await kubectl(here, [...args, '-n', namespace, '-f', '-'], manifests)
      expect(answer).toMatchObject({ code: 0 })
      return jobsOf(namespace)
    }

    it('makes one Job of each, under its new name, and all of them complete', async () => {
      before = await apply(await stamped(chart, namespace))
      expect(before.map(baseOf)).toEqual(chart.jobs)
      for (const job of before) {
        const { name = '', annotations = {} } = job.metadata ?? {}
        expect(name).toMatch(new RegExp(`^${baseOf(job)}-[0-9a-f]{8}$`))
        expect(annotations['semel.dev/fingerprint']).toContain(`:${name.slice(-8)}`)
        await completed(namespace, name)
      }
    })

    it('makes none when it is applied again', async () => {
      const again = await apply(await stamped(chart, namespace))
      expect(uidsOf(again)).toEqual(uidsOf(before))
    })

    it('makes none when the same is said in other words', async () => {
      const rendered = await render(chart, namespace, chart.respelled)
      const respelled = await stamp(inOtherWords(rendered))
      expect(respelled).not.toBe(await stamped(chart, namespace))
      expect(uidsOf(await apply(respelled))).toEqual(uidsOf(before))
    })

    it('makes exactly one when one covered field changes, and leaves the old ones alone', async () => {
      const podsBefore = await podsOf(before, namespace)
      const after = await apply(await stamped(chart, namespace, [chart.change]))
      const made = after.filter((job) => !uidsOf(before).includes(uidOf(job)))
      expect(made.map(baseOf)).toEqual([chart.changes])
      await completed(namespace, made[0]?.metadata?.name ?? '')
      expect(after).toHaveLength(before.length + 1)
      expect(await podsOf(before, namespace)).toEqual(podsBefore)
    })

    it('leaves no reference behind: what waits for a Job is answered', async () => {
      const waits = await waitsOf(namespace)
      expect(waits.length).toBeGreaterThan(1)
      for (const wait of waits) {
        expect(await kubectl(here, ['-n', namespace, ...wait])).toMatchObject({ code: 0 })
      }
    })
  },
)

describe.skipIf(oraclesMissing !== undefined)(`stamped charts${reason}`, () => {
  it.each(charts)('of Helm 3 and Helm 4 have the same names: $name', async (chart) => {
    const rendered = await Promise.all(
      [await helm3Path(), await helm4Path()].map((helm) => renderWith(helm, chart, 'same', [])),
    )
    const [three = '', four = ''] = await Promise.all(rendered.map(stamp))
    expect(jobNamesIn(three)).toHaveLength(chart.jobs.length)
    expect(jobNamesIn(four)).toEqual(jobNamesIn(three))
  })

  it('give access to the Job of the new name, and to no other', async () => {
    const identity = chartNamed('identity')
    const namespace = await newNamespace(client, 'access')
    const manifests = await stamped(identity, namespace)
    await kubectl(here, ['apply', '-n', namespace, '-f', '-'], manifests)
    const setup = jobNamesIn(manifests).find((name) => name.startsWith('shop-setup-')) ?? ''
    expect(await mayGetJob(namespace, 'shop', setup)).toBe(true)
    expect(await mayGetJob(namespace, 'shop', 'shop-setup')).toBe(false)
  })

  it('make new Jobs when a ConfigMap that is followed changes, and what waits for them follows', async () => {
    const broker = chartNamed('broker')
    const namespace = await newNamespace(client, 'follow')
    const apply = async (values: readonly string[]): Promise<readonly string[]> => {
      const manifests = await stamped(broker, namespace, values)
      await kubectl(here, ['apply', '-n', namespace, '-f', '-'], manifests)
      return (await jobsOf(namespace)).map(baseOf)
    }
    const [cluster, ledgers] = broker.jobs
    expect(await apply([])).toEqual([cluster, ledgers])
    expect(await apply(['ledgers.ensemble=3'])).toEqual([cluster, cluster, ledgers, ledgers])
  })
})

function chartNamed(name: string): Chart {
  const chart = charts.find((one) => one.name === name)
  if (chart === undefined) throw new Error(`no chart ${name}`)
  return chart
}

async function stamped(
  chart: Chart,
  namespace: string,
  values: readonly string[] = [],
): Promise<string> {
  return stamp(await render(chart, namespace, values))
}

async function render(chart: Chart, namespace: string, values: readonly string[]): Promise<string> {
  return renderWith(await helm3Path(), chart, namespace, values)
}

async function renderWith(
  helm: string,
  { name }: Chart,
  namespace: string,
  values: readonly string[],
): Promise<string> {
  const folder = fileURLToPath(new URL('charts/', import.meta.url))
  const set = values.flatMap((value) => ['--set-string', value])
  const args = ['template', 'shop', path.join(folder, name), '--namespace', namespace, ...set]
  return (await runOracle(helm, args)).stdout
}

async function stamp(manifests: string): Promise<string> {
  const { code, out, err } = await semel(['stamp'], { stdin: manifests })
  expect(code, err).toBe(0)
  return out
}

/** As JSON, keys the other way round, with what is the default said aloud. */
function inOtherWords(manifests: string): string {
  return objectsIn(manifests)
    .map((object) => {
      const said = object['kind'] === 'Job' ? withDefaults(object) : object
      return JSON.stringify(reversed(said), undefined, 1)
    })
    .join('\n---\n')
}

function withDefaults(job: JsonObject): JsonObject {
  const spec = job['spec'] as JsonObject
  const template = spec['template'] as JsonObject
  const pod = template['spec'] as JsonObject
  const said = { ...pod, dnsPolicy: 'ClusterFirst', terminationGracePeriodSeconds: 30 }
  return { ...job, spec: { ...spec, suspend: false, template: { ...template, spec: said } } }
}

function reversed(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((item: Json) => reversed(item) ?? null)
  if (!isObject(value)) return value
  const entries = Object.entries(value).toReversed()
  return Object.fromEntries(entries.map(([key, item]) => [key, reversed(item)]))
}

function objectsIn(manifests: string): readonly JsonObject[] {
  const documents = parseAllDocuments(manifests, { version: '1.1' })
  return [...documents].map((document) => document.toJS() as Json).filter(isObject)
}

function jobNamesIn(manifests: string): readonly string[] {
  return objectsIn(manifests)
    .filter((object) => object['kind'] === 'Job')
    .map((job) => stringAt(job, ['metadata', 'name']) ?? '')
}

/** In the order of their names. */
async function jobsOf(namespace: string): Promise<readonly Body[]> {
  const { body } = await client.request('GET', `/apis/batch/v1/namespaces/${namespace}/jobs`)
  const jobs = body.items ?? []
  return jobs.toSorted((one, other) =>
    compareText(one.metadata?.name ?? '', other.metadata?.name ?? ''),
  )
}

async function completed(namespace: string, name: string): Promise<void> {
  const job = `/apis/batch/v1/namespaces/${namespace}/jobs/${name}`
  await until(client, job, (body) => hasCondition(body, 'Complete'))
}

async function podsOf(jobs: readonly Body[], namespace: string): Promise<readonly string[]> {
  const owners = uidsOf(jobs)
  const { body } = await client.request('GET', `/api/v1/namespaces/${namespace}/pods`)
  const pods = (body.items ?? []).filter((pod) =>
    pod.metadata?.ownerReferences?.some(({ uid }) => owners.includes(uid)),
  )
  return uidsOf(pods)
}

/** What the init containers of everything in the namespace ask of kubectl, as its arguments. */
async function waitsOf(namespace: string): Promise<readonly (readonly string[])[]> {
  const kinds = ['deployments', 'statefulsets'].map(
    (kind) => `/apis/apps/v1/namespaces/${namespace}/${kind}`,
  )
  const lists = await Promise.all(kinds.map((list) => client.request('GET', list)))
  const owners = [...lists.flatMap(({ body }) => body.items ?? []), ...(await jobsOf(namespace))]
  const inits = owners.flatMap((owner) =>
    listAt(owner as Json, ['spec', 'template', 'spec', 'initContainers']),
  )
  return inits.flatMap((init) => {
    const words = [...listAt(init, ['command']), ...listAt(init, ['args'])].map(String)
    const said = words[0] === 'sh' ? (words[2] ?? '').split(' ') : words
    const args = said[0] === 'kubectl' ? said.slice(1) : said
    return args[0] === 'wait' ? [args] : []
  })
}

async function mayGetJob(namespace: string, account: string, name: string): Promise<boolean> {
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: {
      user: `system:serviceaccount:${namespace}:${account}`,
      resourceAttributes: { namespace, verb: 'get', group: 'batch', resource: 'jobs', name },
    },
  }
  const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
  const { body } = await client.request('POST', reviews, review)
  return typeof body.status === 'object' && body.status['allowed'] === true
}

function baseOf(job: Body): string {
  return job.metadata?.annotations?.['semel.dev/base'] ?? ''
}

function uidOf(object: Body): string {
  return object.metadata?.uid ?? ''
}

function uidsOf(objects: readonly Body[]): readonly string[] {
  return objects.map(uidOf).sort(compareText)
}
