import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAt, stringAt } from '../../src/core/json.ts'
import { root, semel } from '../cli/cli.ts'
import type { Body } from './rig/client.ts'
import { hasCondition, kubectl, newNamespace, real, until } from './rig/real.ts'

/** What `semel render` makes, put in by kubectl: the API server has the last word on names and fields. */
const here = real()
const { client } = here
afterAll(() => client.close())

const FIXTURES = 'fixtures/render'

async function rendered(values: string, args: string, code = 0): Promise<string> {
  const given = `render -f - --release shop --tag-policy allow ${args}`
  const answer = await semel(given, { stdin: values, cwd: root })
  expect(answer.code, answer.err).toBe(code)
  return answer.out
}

async function apply(
  namespace: string,
  manifests: string,
  ...more: readonly string[]
): Promise<void> {
  const answer = await kubectl(here, ['apply', '-n', namespace, '-f', '-', ...more], manifests)
  expect(answer).toMatchObject({ code: 0 })
}

async function jobsOf(namespace: string): Promise<readonly Body[]> {
  const { body } = await client.request('GET', `/apis/batch/v1/namespaces/${namespace}/jobs`)
  return listAt(body as never, ['items']) as unknown as readonly Body[]
}

const nameOf = ({ metadata }: Body): string => metadata?.name ?? ''
const uidOf = ({ metadata }: Body): string => metadata?.uid ?? ''

async function completed(namespace: string, name: string): Promise<void> {
  const at = `/apis/batch/v1/namespaces/${namespace}/jobs/${name}`
  await until(client, at, (body) => hasCondition(body, 'Complete'))
}

describe('every fixture of semel render', () => {
  let namespace = ''
  beforeAll(async () => {
    namespace = await newNamespace(client, 'fixtures')
  })

  it.each(readdirSync(FIXTURES))(
    '%s is taken as it is, without a field that is not known',
    async (name) => {
      const text = readFileSync(path.join(FIXTURES, name, 'expected.yaml'), 'utf8')
      if (text === '') return
      const manifests = text.replaceAll('namespace: prod', `namespace: ${namespace}`)
      await apply(namespace, manifests, '--validate=strict', '--dry-run=server')
    },
  )

  it.each([63, 52])('names of %i characters are taken', async (limit) => {
    const kind = limit === 52 ? 'kind: CronJob, schedule: "@daily", hashSuffix: true, ' : ''
    const job = 'x'.repeat(60)
    const values = `image: {repository: a, tag: b}\njobGroups: {customers: {${kind}jobs: {${job}: {command: x}}}}\n`
    const manifests = await rendered(values, `-n ${namespace}`)
    expect(/^ {2}name: (.*)/m.exec(manifests)?.[1]).toHaveLength(limit)
    await apply(namespace, manifests, '--dry-run=server')
  })

  it('an Indexed Job with a long name leaves room for its indexes', async () => {
    const job = 'rebuild-every-search-index-of-every-tenant-and-region'
    const values = `image: {repository: a, tag: b}\njobGroups: {customers: {completionMode: Indexed, completions: 1000, jobs: {${job}: {command: x}}}}\n`
    await apply(namespace, await rendered(values, `-n ${namespace}`), '--dry-run=server')
  })
})

/** The document that the idea comes from, from the first version to the cleaning up. */
describe('the story of a migration', () => {
  const VALUES = `image: { repository: shop/tools, tag: v1 }
jobGroups:
  db:
    jobs:
      migrate: { command: ./migrate.sh }
`
  let namespace = ''
  let first: Body = {}
  beforeAll(async () => {
    namespace = await newNamespace(client, 'story')
  })

  it('v1 is applied, and runs', async () => {
    await apply(namespace, await rendered(VALUES, `-n ${namespace}`))
    const jobs = await jobsOf(namespace)
    expect(jobs.map(nameOf)).toEqual(['shop-app-db-migrate-' + (await hashOf(VALUES))])
    first = jobs[0] ?? {}
    await completed(namespace, nameOf(first))
  })

  it('applied again, nothing happens', async () => {
    const manifests = await rendered(VALUES, `-n ${namespace}`)
    const { out } = await kubectl(here, ['apply', '-n', namespace, '-f', '-'], manifests)
    expect(out).toMatch(/unchanged\n$/)
    expect((await jobsOf(namespace)).map(uidOf)).toEqual([uidOf(first)])
  })

  it.each([
    'backoffLimit=0',
    'activeDeadlineSeconds=600',
    'parallelism=1',
    'suspend=false',
    'ttlSecondsAfterFinished=100000',
    'metadataAnnotations.team=shop',
  ])('%s is changed in place, as it is not in the name', async (field) => {
    const set = `--set jobGroups.db.${field}`
    await apply(namespace, await rendered(VALUES, `-n ${namespace} --engine none ${set}`))
    expect((await jobsOf(namespace)).map(uidOf)).toEqual([uidOf(first)])
  })

  it('v2 is a new Job that runs once, and the old one stays', async () => {
    await apply(namespace, await rendered(VALUES, `-n ${namespace} --set image.tag=v2`))
    const jobs = await jobsOf(namespace)
    expect(jobs).toHaveLength(2)
    expect(jobs.map(uidOf)).toContain(uidOf(first))
    const made = jobs.find((job) => uidOf(job) !== uidOf(first)) ?? {}
    await completed(namespace, nameOf(made))
  })

  it('a rollback to v1 runs nothing: that has run', async () => {
    await apply(namespace, await rendered(VALUES, `-n ${namespace}`))
    expect(await jobsOf(namespace)).toHaveLength(2)
  })

  it('a TTL removes the Job, and applying again runs it again: what JG109 refuses', async () => {
    const ttl = '--set jobGroups.db.ttlSecondsAfterFinished=1'
    expect(await rendered(VALUES, `-n ${namespace} ${ttl}`, 2)).toBe('')
    const manifests = await rendered(VALUES, `-n ${namespace} --engine none ${ttl}`)
    await apply(namespace, manifests)
    const at = `/apis/batch/v1/namespaces/${namespace}/jobs/${nameOf(first)}`
    await until(client, at, (_body, code) => code === 404)
    await apply(namespace, manifests)
    const again = (await jobsOf(namespace)).find((job) => nameOf(job) === nameOf(first))
    expect(again).toBeDefined()
    expect(uidOf(again ?? {})).not.toBe(uidOf(first))
  })
})

describe('moving from a Job without a hash', () => {
  it('adoptName leaves the Job that has run as it is; without it the next change runs', async () => {
    const namespace = await newNamespace(client, 'adopt')
    const values = `fullnameOverride: shop\nimage: {repository: a, tag: v1}\njobGroups: {db: {jobs: {migrate: {command: x, adoptName: shop-migrate}}}}\n`
    const old = (await rendered(values, `-n ${namespace}`)).replace(
      / {4}semel\.dev\/intent.*\n/,
      '    by: hand\n',
    )
    await apply(namespace, old)
    await completed(namespace, 'shop-migrate')
    const [before] = await jobsOf(namespace)
    await apply(namespace, await rendered(values, `-n ${namespace}`))
    expect((await jobsOf(namespace)).map(uidOf)).toEqual([uidOf(before ?? {})])
    const next = '--set jobGroups.db.jobs.migrate.adoptName=null,image.tag=v2'
    await apply(namespace, await rendered(values, `-n ${namespace} ${next}`))
    expect((await jobsOf(namespace)).map(nameOf)).toHaveLength(2)
  })
})

async function hashOf(values: string): Promise<string> {
  const list = JSON.parse(await rendered(values, '-o json')) as never
  const [object] = listAt(list, ['items'])
  return (stringAt(object, ['metadata', 'annotations', 'semel.dev/intent']) ?? '').slice(0, 8)
}
