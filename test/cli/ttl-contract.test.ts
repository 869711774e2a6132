import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { copyOf, folder, job, semel, type Answer } from './cli.ts'

/** The fixture with one thing changed. */
async function changed(change: (repository: Repository) => void, args = 'lint'): Promise<Answer> {
  const cwd = copyOf('fixtures/ttl-contract')
  change({
    edit(file, from, to) {
      const before = readFileSync(path.join(cwd, file), 'utf8')
      expect(before).toContain(from)
      writeFileSync(path.join(cwd, file), before.replace(from, to))
    },
    remove: (name) => rmSync(path.join(cwd, name), { recursive: true }),
    append(file, text) {
      writeFileSync(path.join(cwd, file), readFileSync(path.join(cwd, file), 'utf8') + text)
    },
  })
  return semel(args, { cwd })
}

interface Repository {
  readonly edit: (file: string, from: string, to: string) => void
  readonly remove: (name: string) => void
  readonly append: (file: string, text: string) => void
}

describe('the TTL contract', () => {
  it('holds in the fixture: 37 Jobs, 35 with a TTL, two without', async () => {
    const { code, out, err } = await semel('lint', { cwd: copyOf('fixtures/ttl-contract') })
    expect(err).toBe('')
    expect(out).toContain('No findings: 37 Jobs')
    expect(code).toBe(0)
  })

  it('counts the Jobs of the fixture by their TTL', async () => {
    const text = await semel('check -o json', { cwd: copyOf('fixtures/ttl-contract') })
    const { jobs } = JSON.parse(text.out) as { jobs: { path: string }[] }
    expect(jobs).toHaveLength(37)
  })

  const standard = '  ttlSecondsAfterFinished: 86400\n'
  it.each<[string, (repository: Repository) => void, string]>([
    [
      'a Job loses its TTL',
      ({ edit }) => edit('apps/images/sign-images.yaml', standard, ''),
      'Job images/sign-images has no ttlSecondsAfterFinished',
    ],
    [
      'a Job gets another TTL',
      ({ edit }) => edit('apps/images/sign-images.yaml', '86400', '86401'),
      'ttlSecondsAfterFinished: 86401',
    ],
    [
      'an exact other value changes',
      ({ edit }) => edit('apps/storage/import-snapshots.yaml', '5400', '5401'),
      'asserts 5400 s for this Job',
    ],
    [
      'a Job without a TTL gets one',
      ({ edit }) => edit('apps/tenants/seed-tenants.yaml', '  template:', `${standard}  template:`),
      'says that this Job has no TTL',
    ],
    [
      'a Job with another value loses it',
      ({ edit }) =>
        edit('apps/storage/import-snapshots.yaml', '  ttlSecondsAfterFinished: 5400\n', ''),
      'Job storage/import-snapshots has no ttlSecondsAfterFinished',
    ],
  ])('turns red with a finding when %s', async (_case, change, words) => {
    const { code, out } = await changed(change, 'lint -o compact')
    expect(out).toContain('ttl-contract')
    expect((await changed(change)).out.replaceAll(/\s+/g, ' ')).toContain(words)
    expect(code).toBe(1)
  })

  it.each<[string, (repository: Repository) => void, string, string]>([
    [
      'an allowlisted Job is renamed',
      ({ edit }) =>
        edit('apps/tenants/seed-tenants.yaml', 'name: seed-tenants', 'name: seed-tenant'),
      'CONFIG_STALE  semel.yaml:11:12',
      'apps/tenants/seed-tenants.yaml holds no Job seed-tenants. Did you mean seed-tenant?',
    ],
    [
      'the variable in an allowlisted name is renamed',
      ({ edit }) => edit('apps/images/build-modules.yaml', '${KERNEL_TAG}', '${KERNEL}'),
      'CONFIG_STALE  semel.yaml:7:12',
      'holds no Job build-modules-${KERNEL_TAG}',
    ],
    [
      'an allowlisted file is deleted',
      ({ remove, edit }) => {
        remove('apps/tenants/seed-tenants.yaml')
        edit('apps/tenants/kustomization.yaml', '  - seed-tenants.yaml\n', '')
      },
      'CONFIG_STALE  semel.yaml:11:12',
      'there is no file apps/tenants/seed-tenants.yaml',
    ],
    [
      'an allowlisted file has no Job any more',
      ({ edit }) => edit('apps/tenants/seed-tenants.yaml', 'kind: Job', 'kind: CronJob'),
      'CONFIG_STALE  semel.yaml:11:12',
      'apps/tenants/seed-tenants.yaml holds no Job, but',
    ],
    [
      'an allowlisted file is ignored',
      ({ edit }) => edit('semel.yaml', 'version: 1', 'version: 1\nignore: [apps/tenants/seed*]'),
      'CONFIG_STALE  semel.yaml:12:12',
      'apps/tenants/seed-tenants.yaml is ignored',
    ],
    [
      'a Job with another value comes to have the standard one',
      ({ edit }) => edit('apps/storage/import-snapshots.yaml', '5400', '86400'),
      'CONFIG_STALE',
      'Job import-snapshots of apps/storage/import-snapshots.yaml now has the standard TTL',
    ],
    [
      'an entry asserts the standard value',
      ({ edit }) => edit('semel.yaml', 'seconds: 5400', 'seconds: 86400'),
      'CONFIG_STALE',
      'asserts the standard TTL of 86400 s',
    ],
    [
      'an entry has expired',
      ({ edit }) => edit('semel.yaml', '2027-06-30', '2026-11-28'),
      'CONFIG_STALE',
      'the exception for Job verify-checksums of apps/storage/verify-checksums.yaml ended on 2026-11-28',
    ],
    [
      'an entry stands in both lists',
      ({ append }) =>
        append(
          'semel.yaml',
          '    - {file: apps/tenants/seed-tenants.yaml, job: seed-tenants, seconds: 60, reason: r}\n',
        ),
      'CONFIG_INVALID',
      'is in ttlContract.none and in ttlContract.value',
    ],
    [
      'an entry stands in one list twice',
      ({ append }) =>
        append(
          'semel.yaml',
          '    - {file: apps/network/more.yaml, job: check-bgp-peers, seconds: 70, reason: r}\n',
        ),
      'CONFIG_INVALID',
      'ttlContract.value names Job check-bgp-peers of apps/network/more.yaml twice',
    ],
    [
      'an entry has no reason',
      ({ edit }) =>
        edit('semel.yaml', '      reason: a second run would mail every tenant again\n', ''),
      'CONFIG_INVALID',
      'the entry ttlContract.none[1] has no reason',
    ],
    [
      'the reason of an entry is empty',
      ({ edit }) => edit('semel.yaml', 'a second run would mail every tenant again', '" "'),
      'CONFIG_INVALID',
      'ttlContract.none[1].reason is " "',
    ],
    ['all Jobs are gone', ({ remove }) => remove('apps'), 'NO_JOBS', 'no Job was found in 5 files'],
  ])('is broken when %s', async (_case, change, head, words) => {
    const { code, err } = await changed(change)
    const flat = err.replaceAll(/ {2,}|\n/g, '  ').replaceAll(/\s*\n\s*/g, ' ')
    expect(flat).toContain(head)
    expect(err.replaceAll(/\s+/g, ' ')).toContain(words)
    expect(code).toBe(2)
  })

  it('names every entry whose file is gone when the repository is emptied', async () => {
    const { err } = await changed(({ remove }) => remove('apps'))
    expect(err.match(/there is no file/g)).toHaveLength(8)
    expect(err.match(/NO_JOBS/g)).toHaveLength(1)
  })

  it('accepts an empty repository when told to', async () => {
    for (const files of [{}, { 'a.yaml': 'kind: ConfigMap\n' }]) {
      const cwd = folder({ ...files, 'semel.yaml': 'version: 1\nttlContract: {seconds: 86400}\n' })
      expect((await semel('lint', { cwd })).code).toBe(2)
      expect((await semel('lint --allow-empty', { cwd })).code).toBe(0)
    }
  })

  it('holds on the last day of an entry', async () => {
    const cwd = copyOf('fixtures/ttl-contract')
    expect((await semel('lint', { cwd, today: '2027-06-30' })).code).toBe(0)
    expect((await semel('lint', { cwd, today: '2027-07-01' })).code).toBe(2)
  })

  it('says nothing about entries for files outside of the given paths', async () => {
    const { code, err } = await semel('lint apps/network clusters', {
      cwd: copyOf('fixtures/ttl-contract'),
    })
    expect(err).toBe('')
    expect(code).toBe(0)
  })

  it('finds its entries from a folder below as well', async () => {
    const cwd = path.join(copyOf('fixtures/ttl-contract'), 'apps/tenants')
    // Without git nothing above the folder is looked at, so the file is named.
    const { err, code } = await semel('lint . --config ../../semel.yaml --engine kubectl', { cwd })
    expect(err).toBe('')
    expect(code).toBe(0)
  })

  it('needs a Job even if there is a CronJob', async () => {
    const cron = job('tidy').replace('kind: Job', 'kind: CronJob')
    const cwd = folder({
      'a.yaml': cron,
      'semel.yaml': 'version: 1\nttlContract: {seconds: 86400}\n',
    })
    expect((await semel('lint', { cwd })).err).toContain('NO_JOBS')
  })

  it('is silent on files that could not be read, since they have their own problem', async () => {
    const { err } = await changed(({ edit }) =>
      edit('apps/tenants/seed-tenants.yaml', 'metadata:', 'metadata: ['),
    )
    expect(err).toContain('YAML_INVALID')
    expect(err).not.toContain('CONFIG_STALE')
  })
})
