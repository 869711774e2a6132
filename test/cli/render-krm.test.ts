import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { describe, expect, it } from 'vitest'
import { semel } from './cli.ts'

/** `semel render --krm`: the KRM function, and the exec plugin of kustomize. */
const EXAMPLE = readFileSync('integrations/kustomize/job-groups.yaml', 'utf8')
const NAME = 'shop-app-db-migrate-2848776e'

interface Item {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> }
}

interface List {
  readonly kind: string
  readonly items: readonly Item[]
  readonly results?: readonly {
    readonly message: string
    readonly severity: string
    readonly field?: { readonly path: string }
    readonly resourceRef?: { readonly kind: string; readonly name: string }
    readonly file?: { readonly path: string }
  }[]
}

function listWith(config: string, items = ''): string {
  const indented = config.trimEnd().replaceAll('\n', '\n  ')
  const own = items === '' ? 'items: []' : `items:\n${items.trimEnd()}`
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n${own}\nfunctionConfig:\n  ${indented}\n`
}

async function call(stdin: string): Promise<{ code: number; err: string; list: List }> {
  const { code, out, err } = await semel('render --krm', { stdin })
  return { code, err, list: parse(out) as List }
}

const changed = (from: string, to: string): string => {
  expect(EXAMPLE).toContain(from)
  return EXAMPLE.replace(from, to)
}

describe('semel render --krm', () => {
  it('adds what a JobGroups renders to the items', async () => {
    const item = '- {apiVersion: v1, kind: ConfigMap, metadata: {name: other}}'
    const { code, list } = await call(listWith(EXAMPLE, item))
    expect(code).toBe(0)
    expect(list.kind).toBe('ResourceList')
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(['other', NAME])
    expect(list.results).toBeUndefined()
  })

  it('gives the object of semel render, but for the file that kpt writes it to', async () => {
    const { list } = await call(listWith(EXAMPLE))
    const { out } = await semel('render --krm', { stdin: EXAMPLE })
    const [made] = list.items
    const kept = Object.entries(made?.metadata.annotations ?? {}).filter(
      ([key]) => !key.includes('config.kubernetes.io/'),
    )
    const metadata = { ...made?.metadata, annotations: Object.fromEntries(kept) }
    expect({ ...made, metadata }).toEqual(parse(out))
  })

  it('replaces what an earlier run made, so that old Jobs do not stay in a package', async () => {
    const first = await semel('render --krm', { stdin: listWith(EXAMPLE) })
    const again = first.out.replace('tag: v1', 'tag: v2')
    const { list } = await call(again)
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual([
      expect.stringMatching(/^shop-app-db-migrate-(?!2848776e)[0-9a-f]{8}$/),
    ])
    const third = await call(first.out)
    expect(third.list).toEqual(parse(first.out))
  })

  it('leaves items of other files alone, whatever they are', async () => {
    const item = `- apiVersion: batch/v1
  kind: Job
  metadata: {name: mine, annotations: {config.kubernetes.io/path: other.yaml}}`
    const { list } = await call(listWith(EXAMPLE, item))
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(['mine', NAME])
  })

  it('says what is wrong with its field, and gives the items back as they were', async () => {
    const item = '- {apiVersion: v1, kind: ConfigMap, metadata: {name: other}}'
    const config = changed('command:', 'comand:').replace(
      'name: shop\n',
      'name: shop\n  annotations: {config.kubernetes.io/path: jobs.yaml}\n',
    )
    const { code, list, err } = await call(listWith(config, item))
    expect(code).toBe(1)
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(['other'])
    expect(list.results?.filter(({ severity }) => severity === 'error')).toEqual([
      {
        severity: 'error',
        message:
          "JG102: jobGroups.db.jobs.migrate.comand: unknown key 'comand'. Did you mean command? Remedy: write command",
        resourceRef: { apiVersion: 'semel.dev/v1alpha1', kind: 'JobGroups', name: 'shop' },
        file: { path: 'jobs.yaml' },
        field: { path: 'spec.values.jobGroups.db.jobs.migrate.comand' },
      },
    ])
    expect(err).toContain('(spec.values.jobGroups.db.jobs.migrate.comand)')
  })

  it('warns in the results, and does its work', async () => {
    const { code, list } = await call(listWith(changed(', digest: "sha256:1234"', '')))
    expect(code).toBe(0)
    expect(list.results?.map(({ severity, message }) => [severity, message.slice(0, 5)])).toEqual([
      ['warning', 'JG201'],
    ])
  })

  it('has the release named by the object when spec does not', async () => {
    const config = changed('  release: { name: shop, namespace: prod }\n', '').replace(
      'name: shop',
      'name: web\n  namespace: live',
    )
    const { list } = await call(listWith(config))
    expect(list.items[0]?.metadata).toMatchObject({
      name: expect.stringMatching(/^web-app-db-migrate-[0-9a-f]{8}$/),
      namespace: 'live',
    })
  })

  it.each<[string, string, string, string]>([
    ['a misspelt setting', 'engine: flux', 'engin: flux', 'spec.engin'],
    ['an engine that is none', 'engine: flux', 'engine: fluxcd', 'spec.engine'],
    ['a tag policy that is none', 'engine: flux', 'tagPolicy: strict', 'spec.tagPolicy'],
    ['a switch in quotes', 'engine: flux', 'configMaps: "true"', 'spec.configMaps'],
    ['a release of another type', '{ name: shop, namespace: prod }', '7', 'spec.release'],
    ['a misspelt part of the release', 'namespace: prod', 'nspace: prod', 'spec.release.nspace'],
    ['no values', 'values:', 'value:', 'spec'],
  ])('refuses %s', async (_case, from, to, path) => {
    const { code, list } = await call(listWith(changed(from, to)))
    expect(code).toBe(1)
    expect(list.items).toEqual([])
    expect(list.results?.map(({ field }) => field?.path)).toContain(path)
  })

  it('refuses a functionConfig of another kind', async () => {
    const { code, list } = await call(listWith(changed('JobGroups', 'Stamp')))
    expect(code).toBe(1)
    expect(list.results?.[0]?.message).toContain('is Stamp of semel.dev/v1alpha1')
  })

  it('prints a stream for a JobGroups alone, and nothing when it is wrong', async () => {
    const right = await semel('render --krm', { stdin: EXAMPLE })
    expect([right.code, right.out.match(/^ {2}name: .*/m)?.[0]]).toEqual([0, `  name: ${NAME}`])
    const wrong = await semel('render --krm', { stdin: changed('command:', 'comand:') })
    expect([wrong.code, wrong.out]).toEqual([1, ''])
    expect(wrong.err).toContain('JG102')
  })

  it.each(['', 'a: [', 'kind: ConfigMap\n', `${EXAMPLE}---\n${EXAMPLE}`])(
    'ends with exit code 2 for input %#, which is neither',
    async (stdin) => {
      const { code, out, err } = await semel('render --krm', { stdin })
      expect([code, out]).toEqual([2, ''])
      expect(err).not.toBe('')
    },
  )

  it.each(['-f values.yaml', '--release x', '--engine flux', '--config-maps', '-o json'])(
    'goes with no other option: %s',
    async (more) => {
      const { code, err } = await semel(`render --krm ${more}`, { stdin: EXAMPLE })
      expect(code).toBe(2)
      expect(err).toContain('--krm goes with no other option')
    },
  )
})
