import { readFileSync, readdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder, job, semel } from './cli.ts'
import { golden } from './golden.ts'

const TWO = `# first
${job('migrate')}---
apiVersion: batch/v1
kind: CronJob
metadata: {name: tidy, namespace: shop}
spec: {schedule: "0 3 * * *", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: t, image: "x:1"}]}}}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: waiter, namespace: shop}
data:
  wait.sh: |
    set -e
    kubectl wait job/migrate
`

const BROKEN = `${job('migrate')}---\na: [1\n`
const read = (cwd: string, name: string): string => readFileSync(path.join(cwd, name), 'utf8')

describe('semel stamp', () => {
  it('stamps a stream from a pipe to a pipe', async () => {
    await golden('stamp-stream', 'stamp', { stdin: TWO })
  })

  it('gives back what it has given', async () => {
    const { out } = await semel('stamp -', { stdin: TWO })
    expect((await semel('stamp -', { stdin: out })).out).toBe(out)
  })

  it('stamps files in place, and only those that change', async () => {
    const cwd = folder({ 'jobs.yaml': TWO, 'other.yaml': 'kind: ConfigMap\n' })
    await golden('stamp-files', 'stamp .', { cwd })
    expect(read(cwd, 'jobs.yaml')).toMatch(/^# first\n[\s\S]*name: migrate-[0-9a-f]{8}\n/)
    expect(read(cwd, 'other.yaml')).toBe('kind: ConfigMap\n')
    await golden('stamp-files-again', 'stamp .', { cwd })
    expect(readdirSync(cwd).sort()).toEqual(['jobs.yaml', 'other.yaml'])
  })

  it('shows what would change, and writes nothing', async () => {
    const cwd = folder({ 'jobs.yaml': TWO })
    await golden('stamp-diff', 'stamp --diff jobs.yaml', { cwd })
    expect(read(cwd, 'jobs.yaml')).toBe(TWO)
    expect((await semel('stamp jobs.yaml', { cwd })).code).toBe(0)
    expect(await semel('stamp --diff jobs.yaml', { cwd })).toMatchObject({ code: 0, out: '' })
  })

  it('checks that committed names follow the content', async () => {
    const cwd = folder({ 'jobs.yaml': job('migrate') })
    await golden('stamp-check-unstamped', 'stamp --check .', { cwd })
    await semel('stamp .', { cwd })
    await golden('stamp-check-clean', 'stamp --check .', { cwd })
    const stamped = read(cwd, 'jobs.yaml')
    const changed = folder({ 'jobs.yaml': stamped.replace(/@sha256:5+/, ':2') })
    await golden('stamp-check-stale', 'stamp --check .', { cwd: changed })
    const other = folder({ 'jobs.yaml': stamped.replace(/(fields: ).*/, '$1kind=00000000') })
    const answer = await semel('stamp --check .', { cwd: other })
    expect(answer.out).toContain('has the right name, and annotations of other content')
    expect(answer.code).toBe(1)
  })

  it('checks references too', async () => {
    const cwd = folder({ 'jobs.yaml': job('migrate') })
    await semel('stamp .', { cwd })
    const waiting = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: r, namespace: shop}
rules: [{apiGroups: [batch], resources: [jobs], resourceNames: [migrate], verbs: [get]}]
`
    const both = folder({ 'a.yaml': read(cwd, 'jobs.yaml'), 'b.yaml': waiting })
    const { code, out } = await semel('stamp --check .', { cwd: both })
    expect(out).toMatch(/b\.yaml:4:\d+ {2}Role shop\/r refers to migrate, should be migrate-/)
    expect(code).toBe(1)
  })

  it.each<[string, string, string]>([
    ['a broken document', BROKEN, 'YAML_INVALID'],
    ['two objects of one name', `${job('a')}---\n${job('a')}`, 'NAME_COLLISION'],
    ['a name that is none', job('Nö'), 'NAME_INVALID'],
    [
      'a missing followed object',
      job('a', { annotations: 'semel.dev/follow: ConfigMap/x' }),
      'FOLLOW_NOT_FOUND',
    ],
  ])('writes nothing at all for %s', async (_case, stdin, code) => {
    const piped = await semel('stamp', { stdin })
    expect(piped.out).toBe('')
    expect(piped.err).toContain(code)
    expect(piped.code).toBe(2)
    const cwd = folder({ 'a.yaml': job('good'), 'b.yaml': stdin })
    const inFiles = await semel('stamp .', { cwd })
    expect(inFiles.code).toBe(2)
    expect(inFiles.err).toContain('b.yaml:')
    expect(read(cwd, 'a.yaml')).toBe(job('good'))
  })

  it('shows a refusal with its line of code', async () => {
    await golden('stamp-refused', 'stamp', { stdin: BROKEN })
  })

  it('passes on an empty stream, and one without Jobs, byte for byte', async () => {
    for (const stdin of ['', '# nothing\n', '\ufeffa: 1\r\n---\r\nb: 2']) {
      expect(await semel('stamp', { stdin })).toEqual({ code: 0, out: stdin, err: '' })
    }
  })

  it('reads what needs the full parser', async () => {
    const stdin = `${job('migrate')}---\nkind: ConfigMap\ndata: {? a : &x b, c: *x}\n`
    const { code, out } = await semel('stamp', { stdin })
    expect(out).toContain('name: migrate-')
    expect(code).toBe(0)
  })

  it('tells a program everything', async () => {
    const cwd = folder({ 'jobs.yaml': TWO })
    const { code, out, err } = await semel('stamp -o json .', { cwd })
    const report = JSON.parse(out) as Record<string, unknown>
    expect(report).toMatchObject({
      objects: [{ kind: 'Job', name: 'migrate', state: 'unstamped', path: 'jobs.yaml', line: 5 }],
      notes: [{ code: 'cron-job', path: 'jobs.yaml' }],
      findings: [{ rule: 'reference-to-hashed-name' }],
      problems: [],
      written: ['jobs.yaml'],
    })
    expect(err).toBe('')
    expect(code).toBe(0)
    const refused = await semel('stamp -o json --check -', { stdin: BROKEN })
    expect(JSON.parse(refused.out)).toMatchObject({ problems: [{ code: 'YAML_INVALID' }] })
    expect(refused.code).toBe(2)
  })

  it.each<[string, string]>([
    ['--cron-jobs', 'name: tidy-'],
    ['--policy adr-012', 'adr-012/v1:'],
  ])('stamps otherwise with %s', async (option, words) => {
    expect((await semel('stamp', { stdin: TWO })).out).not.toContain(words)
    const { out } = await semel(`stamp ${option}`, { stdin: TWO })
    expect(out).toContain(words)
  })

  it('takes files for rendered only when told so', async () => {
    const text = job('a').replace(/(image: .*)/, "$1\n          args: ['${HOME}']")
    const cwd = folder({ 'job.yaml': text })
    const told = await semel('stamp --check job.yaml', { cwd })
    expect([told.code, told.err]).toEqual([0, expect.stringContaining('--rendered')])
    expect((await semel('stamp --check --rendered job.yaml', { cwd })).code).toBe(1)
    expect((await semel('hash --rendered job.yaml', { cwd })).out).toContain('Job shop/a')
  })

  it('takes the content of followed Secrets with a key only', async () => {
    const stdin = `${job('a', { annotations: 'semel.dev/follow: Secret/db' })}---
apiVersion: v1
kind: Secret
metadata: {name: db, namespace: shop}
data: {password: c2VjcmV0}
`
    const cwd = folder({ key: 'a long random text\n', empty: '\n' })
    const open = await semel('stamp', { stdin, cwd })
    expect([open.code, open.out]).toEqual([2, ''])
    expect(open.err).toContain('FOLLOW_SECRET_OPEN')
    const closed = await semel('stamp --secret-key-file key', { stdin, cwd })
    expect(closed.code).toBe(0)
    const empty = await semel('stamp --secret-key-file empty', { stdin, cwd })
    expect([empty.code, empty.out]).toEqual([2, ''])
    const none = await semel('stamp --secret-key-file none', { stdin, cwd })
    expect([none.code, none.out]).toEqual([2, ''])
  })

  it('keeps a link a link', async () => {
    const cwd = folder({ 'real/jobs.yaml': job('migrate') })
    symlinkSync('real/jobs.yaml', path.join(cwd, 'link.yaml'))
    expect((await semel('stamp link.yaml', { cwd })).code).toBe(0)
    expect(read(cwd, 'real/jobs.yaml')).toMatch(/name: migrate-[0-9a-f]{8}/)
  })

  it.each<[string, string]>([
    ['stamp - jobs.yaml', '- stands beside files'],
    ['stamp --check --diff .', '--check and --diff do not go together'],
    ['stamp --krm .', '--krm goes with no path'],
    ['stamp -o json', '-o json does not go with this'],
    ['stamp -o json --diff .', '-o json does not go with this'],
    ['stamp --policy intnt', 'Allowed choices are intent, adr-012'],
    ['stamp missing.yaml', 'missing.yaml does not exist'],
    ['stamp empty', 'there is no YAML or JSON file in empty'],
  ])('refuses %s', async (args, words) => {
    const cwd = folder({ 'jobs.yaml': job('a'), 'empty/x.txt': '' })
    const { code, out, err } = await semel(args, { cwd })
    expect(err).toContain(words)
    expect(out).toBe('')
    expect(code).toBe(2)
  })
})

describe('semel stamp --krm', () => {
  const list = (items: string): string =>
    `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items}`
  const item = job('migrate').replaceAll(/^/gm, '    ').replace('    ', '  - ').trimEnd()

  it('answers a ResourceList with results', async () => {
    await golden('stamp-krm', 'stamp --krm', { stdin: list(`${item}\n`) })
  })

  it('fails with the items as they were, and says why', async () => {
    const stdin = `${list(`${item}\n`)}functionConfig: {spec: {polcy: intent}}\n`
    const { code, out, err } = await semel('stamp --krm', { stdin })
    expect(out).toContain('name: migrate\n')
    expect(out).toContain("functionConfig sets 'polcy'")
    expect(err).toContain("functionConfig sets 'polcy'")
    expect(code).toBe(1)
  })

  it('fails on anything else', async () => {
    const { code, out, err } = await semel('stamp --krm', { stdin: job('a') })
    expect(out).toBe('')
    expect(err).toContain('the input is no ResourceList')
    expect(code).toBe(1)
  })
})
