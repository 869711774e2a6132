import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { lintTree, readTree, type Found } from './rules-harness.ts'

/** The public situations that are about names, images, deadlines and text. */
const FOLDER = path.join(import.meta.dirname, '../../fixtures/cases')

const judge = (name: string, change: (text: string) => string = (text) => text) => {
  const files = readTree(path.join(FOLDER, name), (file) => !file.startsWith('commits/'))
  return lintTree(
    Object.fromEntries(Object.entries(files).map(([file, text]) => [file, change(text)])),
  )
}

const ofRule = (found: readonly Found[], rule: string) =>
  found.filter((finding) => finding.rule === rule)

describe('the cases', () => {
  it.each([
    ['014-argocd-presync-needs-configmap', 'hook-without-deadline', 'warning', 'without a limit'],
    [
      '019-argocd-generatename-collision',
      'generate-name-not-appliable',
      'error',
      'used twice in phase PostSync',
    ],
    [
      '025-helm-now-in-name-argocd',
      'name-depends-on-clock-or-revision',
      'error',
      'the clock (now)',
    ],
    ['035-kustomize-two-generatename', 'generate-name-not-appliable', 'error', 'has no name'],
    ['048-cronjob-forbid-blocked-by-agent', 'no-deadline', 'warning', 'forbids a second run'],
    ['049-mutable-tag-never-reruns', 'mutable-tag', 'warning', 'migrator:dev'],
  ])('%s yields %s', (name, rule, severity, words) => {
    const found = ofRule(judge(name), rule)
    expect(found.map((finding) => finding.severity)).toContain(severity)
    expect(found.map(({ what }) => what).join('\n')).toContain(words)
  })

  it('019 also refuses a longer prefix', () => {
    const long = (text: string): string => text.replaceAll('lint-', `${'a'.repeat(36)}-`)
    const found = ofRule(judge('019-argocd-generatename-collision', long), 'name-too-long')
    expect(found[0]?.what).toContain('37 bytes, 36 are allowed')
  })

  it('035 names both files', () => {
    const found = ofRule(judge('035-kustomize-two-generatename'), 'generate-name-not-appliable')
    expect(found.map((finding) => finding.path)).toEqual(['after.yaml', 'before.yaml'])
  })

  it.each([
    ['customer-billing-eu-west-staging', 0],
    ['customer-billing-eu-west-staging-ledger-schema-migrate', 0],
    ['customer-billing-eu-west-staging-ledger-schema-migrate-3f9a1b2c', 0],
    ['customer-billing-eu-west-staging-ledger-schema-migrate-all-3f9a1b2c0', 1],
  ])('043: %s', (name, count) => {
    const rename = (text: string): string => text.replace('migrate-91be02aa', name)
    const found = ofRule(judge('049-mutable-tag-never-reruns', rename), 'name-too-long')
    expect(found).toHaveLength(count)
  })

  it.each([
    ['aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeff', 0],
    ['aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeefff', 1],
    ['timeseries-observability-prometheus-drop-chunk-a-3f9a1b2c', 1],
  ])('044: %s', (name, count) => {
    const rename = (text: string): string => text.replace('REPLACED_BY_NAMES_YAML', name)
    const found = ofRule(judge('044-cronjob-name-52', rename), 'name-too-long')
    expect(found).toHaveLength(count)
  })

  it('049 with a digest is silent', () => {
    const pin = (text: string): string => text.replace(':dev', `:dev@sha256:${'1'.repeat(64)}`)
    expect(ofRule(judge('049-mutable-tag-never-reruns', pin), 'mutable-tag')).toEqual([])
  })
})
