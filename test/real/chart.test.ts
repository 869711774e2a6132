import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  missing,
  newFolder,
  programs,
  reason,
  root,
  run,
  type Ended,
} from '../integrations/harness.ts'
import { helm3Path, helm4Path } from '../oracles.ts'
import { hasCondition, newNamespace, real, until } from './rig/real.ts'

/**
 * The way of docs/render/migration.md from a Helm hook to charts/semel-jobs, on a real API server
 * by the real Helm: lines and values are those of the page.
 */
const { client, kubeconfig } = real()
afterAll(() => client.close())

const PAGE = readFileSync(path.join(root, 'docs/render/migration.md'), 'utf8')
const INCLUDE = /\{\{ include "semel-jobs\.render".*\}\}/.exec(PAGE)?.[0] ?? ''
const DEPENDENCIES = / +dependencies:\n +- \{.*\}\n/.exec(PAGE)?.[0].replaceAll(/^ {3}/gm, '') ?? ''

const HEAD = 'apiVersion: v2\nname: shop\nversion: 1.0.0\n'
const VALUES = `image: { repository: my/migrator, tag: v1 }
replicas: 1
`
const GROUPS = `jobGroups:
  db:
    jobs:
      migrate:
        command: ./migrate.sh
`
const HOOK = `apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-migrate
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: migrate
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
          command: [sh, -c, ./migrate.sh]
`
const OTHER = `apiVersion: v1
kind: ConfigMap
metadata: { name: web }
data: { replicas: "{{ .Values.replicas }}" }
`

describe.skipIf(missing !== undefined).each([
  { helm: 'Helm 3', program: helm3Path },
  { helm: 'Helm 4', program: helm4Path },
])(`from a hook to the chart by $helm${reason}`, ({ program }) => {
  const chart = newFolder()
  const write = (file: string, text: string): void => writeFileSync(path.join(chart, file), text)
  let upgrade: (...args: readonly string[]) => Promise<Ended>
  let namespace = ''
  let before: ReadonlyMap<string, string> = new Map()
  beforeAll(async () => {
    mkdirSync(path.join(chart, 'templates'))
    write('Chart.yaml', HEAD)
    write('values.yaml', VALUES)
    write('templates/migrate.yaml', HOOK)
    write('templates/web.yaml', OTHER)
    const [helm, bin] = [await program(), programs()]
    namespace = await newNamespace(client, 'chart')
    const args = ['upgrade', '--install', 'shop', chart, '-n', namespace]
    upgrade = (...more) =>
      run(helm, [...args, ...more], { path: bin, env: { KUBECONFIG: kubeconfig } })
  })

  it('begins with a hook, which leaves no Job behind', async () => {
    expect(await upgrade()).toMatchObject({ code: 0 })
    expect([...(await jobsIn(namespace)).keys()]).toEqual([])
  })

  it('creates one Job, suspended where a second run must not be', async () => {
    expect([INCLUDE, DEPENDENCIES]).not.toContain('')
    cpSync(path.join(root, 'charts/semel-jobs'), path.join(chart, 'charts/semel-jobs'), {
      recursive: true,
    })
    rmSync(path.join(chart, 'templates/migrate.yaml'))
    write('templates/jobs.yaml', `${INCLUDE}\n`)
    write('Chart.yaml', HEAD + DEPENDENCIES)
    write('values.yaml', VALUES + GROUPS + '        suspend: true\n')
    expect(await upgrade()).toMatchObject({ code: 0 })
    before = await jobsIn(namespace)
    expect([...before.keys()]).toEqual([expect.stringMatching(/^shop-db-migrate-[0-9a-f]{8}$/)])
  })

  it('leaves it alone at upgrades that change nothing of it', async () => {
    expect(await upgrade()).toMatchObject({ code: 0 })
    expect(await upgrade('--set', 'replicas=2')).toMatchObject({ code: 0 })
    expect(await jobsIn(namespace)).toEqual(before)
  })

  it('runs once for another image, and the old Job goes', async () => {
    write('values.yaml', VALUES + GROUPS)
    expect(await upgrade('--set', 'image.tag=v2')).toMatchObject({ code: 0 })
    const [old = ''] = before.keys()
    await until(client, jobPath(namespace, old), (_body, code) => code === 404)
    const after = await jobsIn(namespace)
    const [name = '', ...more] = after.keys()
    expect([name === old, more]).toEqual([false, []])
    await until(client, jobPath(namespace, name), (body) => hasCondition(body, 'Complete'))
    expect(await upgrade('--set', 'image.tag=v2')).toMatchObject({ code: 0 })
    expect(await jobsIn(namespace)).toEqual(after)
  })

  it('installs nothing when one Job is wrong, and says what', async () => {
    const jobs = await jobsIn(namespace)
    const { code, err } = await upgrade('--set', 'jobGroups.db.jobs.migrate.comand=x')
    expect(code).not.toBe(0)
    expect(err).toContain("error JG102: jobGroups.db.jobs.migrate.comand: unknown key 'comand'")
    expect(await jobsIn(namespace)).toEqual(jobs)
  })
})

function jobPath(namespace: string, name: string): string {
  return `/apis/batch/v1/namespaces/${namespace}/jobs/${name}`
}

/** Uids by name. */
async function jobsIn(namespace: string): Promise<ReadonlyMap<string, string>> {
  const { body } = await client.request('GET', `/apis/batch/v1/namespaces/${namespace}/jobs`)
  return new Map(
    (body.items ?? []).map(({ metadata }) => [metadata?.name ?? '', metadata?.uid ?? '']),
  )
}
