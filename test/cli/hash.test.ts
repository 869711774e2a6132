import { describe, expect, it } from 'vitest'
import { folder, job, semel } from './cli.ts'
import { golden } from './golden.ts'

const WITH_INPUTS = `${job('migrate').replace(/@sha256:5+/, ':4.2.0')}          resources: {limits: {cpu: 1000m}}
          envFrom: [{configMapRef: {name: settings}}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {a: b}
`

describe('semel hash', () => {
  it('says what each field does, and what the name covers', async () => {
    await golden('hash', 'hash', { stdin: WITH_INPUTS })
  })

  it('covers what the Job follows', async () => {
    const stdin = WITH_INPUTS.replace(
      'namespace: shop\nspec',
      'namespace: shop\n  annotations: {semel.dev/follow: all}\nspec',
    )
    const { out } = await semel('hash', { stdin })
    expect(out).toMatch(/ConfigMap\/settings +content/)
  })

  it('prints the fingerprint that stamp writes', async () => {
    const { out } = await semel('stamp', { stdin: WITH_INPUTS })
    const written = /intent\/v1:[0-9a-f]{64}/.exec(out)?.[0] ?? ''
    for (const stdin of [WITH_INPUTS, out]) {
      const json = await semel('hash -o json', { stdin })
      expect(JSON.parse(json.out)).toMatchObject({ objects: [{ fingerprint: written }] })
    }
  })

  it('says which Job it cannot hash', async () => {
    const cwd = folder({ 'job.yaml': job('a').replace(/@sha256:5+/, ':${TAG}') })
    const { code, out, err } = await semel('hash job.yaml', { cwd })
    expect(out).toBe('No Job to hash.\n')
    expect(err).toContain('Job shop/a: left alone')
    expect(code).toBe(0)
  })

  it('fails on what cannot be read', async () => {
    const { code, out } = await semel('hash', { stdin: 'a: [1\n' })
    expect([code, out]).toEqual([2, ''])
  })
})

describe('semel hash --diff', () => {
  const cwd = folder({
    'one.yaml': job('migrate'),
    'spelt.yaml': job('other-name').replace('backoffLimit: 0', '"backoffLimit":   0x0'),
    'two.yaml': job('migrate').replace(/@sha256:5+/, ':2'),
    'more.yaml': `${job('migrate')}---\n${job('more')}`,
  })

  it('shows the fields that differ', async () => {
    await golden('hash-diff', 'hash --diff one.yaml two.yaml', { cwd })
  })

  it('finds nothing in another spelling or name', async () => {
    const { code, out } = await semel('hash --diff one.yaml spelt.yaml', { cwd })
    expect(out).toMatch(/^Job shop\/migrate: equal, [0-9a-f]{8}\n$/)
    expect(code).toBe(0)
  })

  it('names what stands on one side only', async () => {
    const { code, out } = await semel('hash --diff one.yaml more.yaml', { cwd })
    expect(out).toContain('Job shop/more: only in more.yaml')
    expect(code).toBe(1)
  })

  it('has a form for programs', async () => {
    const { out } = await semel('hash --diff -o json one.yaml two.yaml', { cwd })
    expect(JSON.parse(out)).toMatchObject({
      equal: false,
      objects: [{ differences: [{ change: 'changed' }] }],
    })
  })

  it('wants two paths', async () => {
    const { code, err } = await semel('hash --diff one.yaml', { cwd })
    expect(err).toContain('hash --diff needs two paths')
    expect(code).toBe(2)
  })
})
