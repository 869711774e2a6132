import { cpSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
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

/** A release that Helm itself installs and upgrades, with Semel as its post-renderer. */
const { client, kubeconfig } = real()
afterAll(() => client.close())

const CHART = fileURLToPath(new URL('charts/broker', import.meta.url))
const CHANGE = ['--set-string', 'extraInitCommand=bin/broker create-tenant shop;']

const helms = [
  {
    helm: 'Helm 3',
    program: helm3Path,
    renderer: path.join(root, 'integrations/helm/semel-stamp'),
    env: () => ({}),
  },
  { helm: 'Helm 4', program: helm4Path, renderer: 'semel-stamp', env: pluginFolder },
]

describe.skipIf(missing !== undefined).each(helms)(
  `$helm with the post-renderer${reason}`,
  ({ program, renderer, env }) => {
    let upgrade: (...args: readonly string[]) => Promise<Ended>
    let namespace = ''
    let before: ReadonlyMap<string, string> = new Map()
    beforeAll(async () => {
      const [helm, bin, extra] = [await program(), programs(), env()]
      namespace = await newNamespace(client, 'helm')
      const args = ['upgrade', '--install', 'shop', CHART, '-n', namespace]
      const options = { path: bin, env: { KUBECONFIG: kubeconfig, ...extra } }
      upgrade = (...more) => run(helm, [...args, '--post-renderer', renderer, ...more], options)
    })

    it('makes one Job of each at install', async () => {
      expect(await upgrade()).toMatchObject({ code: 0 })
      before = await jobsIn(namespace)
      expect([...before.keys()]).toEqual([
        expect.stringMatching(/^shop-cluster-init-[0-9a-f]{8}$/),
        expect.stringMatching(/^shop-ledgers-init-[0-9a-f]{8}$/),
      ])
      for (const name of before.keys()) await completed(namespace, name)
    })

    it('makes none at an upgrade that changes nothing', async () => {
      expect(await upgrade()).toMatchObject({ code: 0 })
      expect(await jobsIn(namespace)).toEqual(before)
    })

    it('makes one at an upgrade that changes one field, and takes the old one away', async () => {
      expect(await upgrade(...CHANGE)).toMatchObject({ code: 0 })
      const gone = [...before.keys()].find((name) => name.startsWith('shop-cluster-init-')) ?? ''
      await until(client, jobPath(namespace, gone), (_body, code) => code === 404)
      const after = await jobsIn(namespace)
      const made = [...after.keys()].filter((name) => !before.has(name))
      expect(made).toEqual([expect.stringMatching(/^shop-cluster-init-[0-9a-f]{8}$/)])
      expect(after.size).toBe(before.size)
      await completed(namespace, made[0] ?? '')
    })
  },
)

function pluginFolder(): Readonly<Record<string, string>> {
  const plugins = newFolder()
  const source = path.join(root, 'integrations/helm')
  cpSync(source, path.join(plugins, 'semel-stamp'), { recursive: true })
  return { HELM_PLUGINS: plugins }
}

function jobPath(namespace: string, name: string): string {
  return `/apis/batch/v1/namespaces/${namespace}/jobs/${name}`
}

async function completed(namespace: string, name: string): Promise<void> {
  await until(client, jobPath(namespace, name), (body) => hasCondition(body, 'Complete'))
}

/** Uids by name; the server lists by name. */
async function jobsIn(namespace: string): Promise<ReadonlyMap<string, string>> {
  const { body } = await client.request('GET', `/apis/batch/v1/namespaces/${namespace}/jobs`)
  return new Map(
    (body.items ?? []).map(({ metadata }) => [metadata?.name ?? '', metadata?.uid ?? '']),
  )
}
