import { chmodSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { replaceFile } from '../../src/adapters/replace-file.ts'
import { folder, job, semel } from './cli.ts'

const read = (cwd: string, file = 'job.yaml'): string => readFileSync(path.join(cwd, file), 'utf8')

const flux = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: shop, namespace: flux-system}
spec: {interval: 1h, path: ./shop, prune: true, sourceRef: {kind: GitRepository, name: fleet}}
`

const argocd = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  source: {repoURL: https://git.example.test/fleet.git, path: shop}
  syncPolicy: {automated: {}}
`

/** Lines of a Job that no rule minds, with some put in or changed. */
const changed = (...pairs: readonly (readonly [string, string])[]): string =>
  pairs.reduce((text, [from, to]) => text.replace(from, to), job('migrate'))

const hook = (policy: string): string =>
  job('migrate', {
    annotations: `argocd.argoproj.io/hook: PreSync\n    argocd.argoproj.io/hook-delete-policy: ${policy}`,
  })

interface Case {
  readonly rule: string
  readonly carrier?: string
  readonly engine?: string
  readonly before: string
  /** What the fix makes of it; undefined when there is none. */
  readonly safe?: string
  readonly unsafe?: string
}

const ttl = changed([
  '  backoffLimit: 0\n',
  '  backoffLimit: 0\n  ttlSecondsAfterFinished: 3600 # tidy\n',
])
const noPolicy = changed(['      restartPolicy: Never\n', ''])
const env = (value: string): string =>
  changed([
    '        - name: run\n',
    `        - name: run\n          env: [{name: A, value: ${value}}]\n`,
  ])
const suspend = (value: string): string =>
  changed(['  backoffLimit: 0\n', `  backoffLimit: 0\n  suspend: ${value}\n`])
const twice = changed(['  backoffLimit: 0\n', '  backoffLimit: 3\n  backoffLimit: 0\n'])
const same = changed(['  backoffLimit: 0\n', '  backoffLimit: 0\n  backoffLimit: 0\n'])
const comment = changed(['  template:\n', '  # semel-ignore mutable-tag: nightly\n  template:\n'])
const annotated = job('migrate', { annotations: 'semel.dev/ignore.mutable-tag: nightly' })

const CASES: readonly (readonly [string, Case])[] = [
  [
    'removes a TTL',
    { rule: 'ttl-causes-rerun', carrier: flux, before: ttl, unsafe: job('migrate') },
  ],
  [
    'restores the default of a delete policy',
    {
      rule: 'hook-delete-policy-drops-default',
      carrier: argocd,
      before: hook('HookSucceeded'),
      unsafe: hook('BeforeHookCreation,HookSucceeded'),
    },
  ],
  [
    'adds a restartPolicy',
    { rule: 'restart-policy-invalid', engine: 'kubectl', before: noPolicy, unsafe: job('migrate') },
  ],
  [
    'corrects a restartPolicy',
    {
      rule: 'restart-policy-invalid',
      engine: 'kubectl',
      before: changed(['Never', '"on-failure" # again']),
      unsafe: changed(['Never', '"OnFailure" # again']),
    },
  ],
  [
    'writes what kubectl reads',
    { rule: 'ambiguous-scalar', engine: 'kubectl', before: suspend('off'), safe: suspend('false') },
  ],
  [
    'writes a text that kubectl would refuse',
    { rule: 'ambiguous-scalar', engine: 'kubectl', before: env('yes'), unsafe: env('"yes"') },
  ],
  [
    'leaves a value alone whose reader nobody knows',
    { rule: 'ambiguous-scalar', before: env('yes') },
  ],
  [
    'removes the value that is lost',
    { rule: 'duplicate-key', engine: 'kubectl', before: twice, safe: job('migrate') },
  ],
  [
    'removes one of two equal values, whoever reads them',
    { rule: 'duplicate-key', before: same, safe: job('migrate') },
  ],
  [
    'asks before it takes one of two values where nobody knows the reader',
    { rule: 'duplicate-key', before: twice, unsafe: job('migrate') },
  ],
  [
    'removes a comment that suppresses nothing',
    { rule: 'suppression-unused', engine: 'kubectl', before: comment, safe: job('migrate') },
  ],
  [
    'removes an annotation that suppresses nothing',
    { rule: 'suppression-unused', engine: 'kubectl', before: annotated, safe: job('migrate') },
  ],
]

describe('semel lint --fix', () => {
  it.each(CASES)('%s', async (_case, { rule, carrier, engine, before, safe, unsafe }) => {
    const files = {
      'shop/job.yaml': before,
      ...(carrier === undefined ? {} : { 'carrier.yaml': carrier }),
    }
    const given = `lint${engine === undefined ? '' : ` --engine ${engine}`}`
    const cwd = folder(files)
    const found = JSON.parse((await semel(`${given} -o json`, { cwd })).out).findings
    const [finding] = found.filter((one: { rule: string }) => one.rule === rule)
    expect(found.map((one: { rule: string }) => one.rule)).toContain(rule)
    const isFixable = safe !== undefined || unsafe !== undefined
    expect(finding.fix?.safe).toBe(isFixable ? safe !== undefined : undefined)

    await semel(`${given} --fix`, { cwd })
    expect(read(cwd, 'shop/job.yaml')).toBe(safe ?? before)
    const { err } = await semel(`${given} --fix --unsafe`, { cwd })
    expect(read(cwd, 'shop/job.yaml')).toBe(unsafe ?? safe ?? before)
    if (unsafe !== undefined)
      expect(err).toContain(`Fixed shop/job.yaml: ${finding.fix.title} (${rule})`)

    const again = await semel(`${given} --diff --unsafe`, { cwd })
    expect(again).toMatchObject({ code: 0, out: '' })
    if (!isFixable) return
    const left = JSON.parse((await semel(`${given} -o json`, { cwd })).out).findings
    expect(left.map((one: { rule: string }) => one.rule)).not.toContain(rule)
  })

  it('leaves alone what kustomize refuses, as nobody knows which value was meant', async () => {
    const kustomization = 'resources: [job.yaml]\n'
    const files = { 'carrier.yaml': flux, 'shop/job.yaml': twice }
    const cwd = folder({ ...files, 'shop/kustomization.yaml': kustomization })
    const { out } = await semel('lint --fix --unsafe', { cwd })
    expect(out).toContain('duplicate-key')
    expect(read(cwd, 'shop/job.yaml')).toBe(twice)
  })

  it('leaves a field alone that a patch has written', async () => {
    const cwd = folder({
      'carrier.yaml': flux,
      'shop/job.yaml': job('migrate'),
      'shop/kustomization.yaml': `resources: [job.yaml]
patches:
  - patch: |
      apiVersion: batch/v1
      kind: Job
      metadata: {name: migrate, namespace: shop}
      spec: {ttlSecondsAfterFinished: 60}
`,
    })
    const { out } = await semel('lint --fix --unsafe', { cwd })
    expect(out).toContain('ttl-causes-rerun')
    expect(out).not.toContain('--fix')
  })

  it('makes several fixes in one file, and goes on until none is left', async () => {
    const text = [
      '# keep me',
      '# semel-ignore no-deadline, mutable-tag: old',
      twice.replace('      restartPolicy: Never\n', '').trimEnd(),
      '---',
      suspend('on').replace('migrate', 'other'),
    ].join('\n')
    const cwd = folder({ 'job.yaml': text })
    const first = await semel('lint --engine kubectl --fix --unsafe', { cwd })
    expect(first.err.match(/^Fixed /gm)).toHaveLength(5)
    expect(first.out).toContain('5 fixed')
    expect(read(cwd)).toBe(
      [
        '# keep me',
        job('migrate')
          .replace('      restartPolicy: Never\n', '')
          .replace('    spec:\n', '    spec:\n      restartPolicy: Never\n')
          .trimEnd(),
        '---',
        suspend('true').replace('migrate', 'other'),
      ].join('\n'),
    )
    const second = await semel('lint --engine kubectl --fix --unsafe', { cwd })
    expect(second.err).toBe('')
  })

  it('keeps CRLF, a byte order mark and UTF-16', async () => {
    const crlf = `\ufeff${twice.replaceAll('\n', '\r\n')}`
    const utf16 = Buffer.from(`\ufeff${twice}`, 'utf16le')
    const cwd = folder({ 'job.yaml': crlf, 'wide.yaml': utf16 })
    await semel('lint --engine kubectl --fix', { cwd })
    expect(read(cwd)).toBe(`\ufeff${job('migrate').replaceAll('\n', '\r\n')}`)
    expect(readFileSync(path.join(cwd, 'wide.yaml')).toString('utf16le')).toBe(
      `\ufeff${job('migrate')}`,
    )
  })

  it('fixes templates where nothing but text changes', async () => {
    const template = twice.replace('name: migrate', 'name: {{ .Release.Name }}-migrate')
    const cwd = folder({
      'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'chart/templates/job.yaml': template,
    })
    await semel('lint --engine helm --fix', { cwd })
    expect(read(cwd, 'chart/templates/job.yaml')).toBe(template.replace('  backoffLimit: 3\n', ''))
  })

  it('keeps the mode of a file, and a link a link', async () => {
    const cwd = folder({ 'real.yaml': twice })
    chmodSync(path.join(cwd, 'real.yaml'), 0o640)
    symlinkSync('real.yaml', path.join(cwd, 'job.yaml'))
    await semel('lint --engine kubectl --fix job.yaml', { cwd })
    expect(read(cwd, 'real.yaml')).toBe(job('migrate'))
    expect(statSync(path.join(cwd, 'real.yaml')).mode & 0o777).toBe(0o640)
    expect(readdirSync(cwd).toSorted()).toEqual(['job.yaml', 'real.yaml'])
  })

  it('leaves a fix out that would change more than it means, and makes the others', async () => {
    const shared = `apiVersion: batch/v1
kind: Job
metadata: {name: migrate, namespace: shop}
spec:
  backoffLimit: 3
  backoffLimit: 0
  suspend: &off off
  activeDeadlineSeconds: 600
  template:
    metadata:
      annotations: {on: *off}
    spec:
      restartPolicy: Never
      containers:
        - name: run
          image: registry.example.test/shop/run@sha256:${'5'.repeat(64)}
`
    const cwd = folder({ 'job.yaml': shared })
    const { out } = await semel('lint --engine kubectl --fix --unsafe', { cwd })
    expect(read(cwd)).toBe(shared.replace('  backoffLimit: 3\n', ''))
    expect(out).toContain('ambiguous-scalar')
  })

  it('changes a file once that is reached in two ways', async () => {
    const cwd = folder({ 'real/job.yaml': twice })
    symlinkSync('real', path.join(cwd, 'link'))
    const { code, err } = await semel('lint --engine kubectl --fix', { cwd })
    expect(err).toBe(
      'Fixed link/job.yaml: remove the first backoffLimit, which is lost (duplicate-key)\n',
    )
    expect(read(cwd, 'real/job.yaml')).toBe(job('migrate'))
    expect(code).toBe(0)
  })

  it('takes the findings only that the user sees', async () => {
    const cwd = folder({ 'old.yaml': twice })
    await semel(['lint', '--engine', 'kubectl', '--write-baseline', '--reason', 'old'], { cwd })
    writeFileSync(path.join(cwd, 'new.yaml'), twice.replace('migrate', 'other'))
    const { code } = await semel('lint --engine kubectl --fix --baseline semel-baseline.json', {
      cwd,
    })
    expect(read(cwd, 'old.yaml')).toBe(twice)
    expect(read(cwd, 'new.yaml')).toBe(job('other'))
    expect(code).toBe(0)
  })

  it('says how much can be fixed, and how', async () => {
    const cwd = folder({ 'job.yaml': twice.replace('      restartPolicy: Never\n', '') })
    const { out } = await semel('lint --engine kubectl', { cwd })
    expect(out).toContain('fix     remove the first backoffLimit, which is lost (--fix)')
    expect(out).toContain('fix     write restartPolicy: Never (--fix --unsafe)')
    expect(out).toContain('1 can be fixed by semel lint --fix, 1 more with --unsafe\n')
  })
})

describe('semel lint --diff', () => {
  it('shows the change and writes nothing', async () => {
    const cwd = folder({ 'shop/job.yaml': twice })
    const { code, out, err } = await semel('lint --engine kubectl --diff', { cwd })
    expect(out).toBe(`--- a/shop/job.yaml
+++ b/shop/job.yaml
@@ -4,7 +4,6 @@
   name: migrate
   namespace: shop
 spec:
-  backoffLimit: 3
   backoffLimit: 0
   activeDeadlineSeconds: 600
   template:
`)
    expect(err).toBe('')
    expect(code).toBe(1)
    expect(read(cwd, 'shop/job.yaml')).toBe(twice)
  })

  it('is empty, and 0, when there is nothing to fix', async () => {
    const cwd = folder({ 'job.yaml': job('migrate') })
    expect(await semel('lint --engine kubectl --diff', { cwd })).toEqual({
      code: 0,
      out: '',
      err: '',
    })
  })

  it('tells of input that could not be read', async () => {
    const cwd = folder({ 'job.yaml': twice, 'b.yaml': 'kind: Job\napiVersion: batch/v1\na: [\n' })
    const { code, out, err } = await semel('lint --engine kubectl --diff', { cwd })
    expect(out).toContain('-  backoffLimit: 3')
    expect(err).toContain('YAML_INVALID')
    expect(code).toBe(2)
  })
})

describe('a file that is replaced', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  const attempt = (cwd: string, before: string | undefined) => () =>
    replaceFile({
      file: path.join(cwd, 'a.yaml'),
      shown: 'a.yaml',
      before: before === undefined ? undefined : bytes(before),
      after: bytes('new\n'),
    })

  it('is left as it is when somebody has changed it', () => {
    const cwd = folder({ 'a.yaml': 'theirs\n' })
    expect(attempt(cwd, 'ours\n')).toThrow('a.yaml was changed while semel was at work')
    expect(attempt(cwd, undefined)).toThrow('a.yaml was changed')
    expect(read(cwd, 'a.yaml')).toBe('theirs\n')
    expect(readdirSync(cwd)).toEqual(['a.yaml'])
  })

  it('is left alone when it has gone', () => {
    const cwd = folder()
    expect(attempt(cwd, 'ours\n')).toThrow('could not be written')
    expect(readdirSync(cwd)).toEqual([])
  })

  it('is made when there was none', () => {
    const cwd = folder()
    attempt(cwd, undefined)()
    expect(read(cwd, 'a.yaml')).toBe('new\n')
  })

  it('says when it cannot be written', () => {
    const cwd = folder({ 'a.yaml': '' })
    expect(attempt(path.join(cwd, 'a.yaml'), undefined)).toThrow('could not be written')
  })
})

describe('options that do not go together', () => {
  it.each([
    ['--unsafe', '--unsafe alone does nothing'],
    ['--diff -o json', '--diff does not go with -o'],
    ['--fix -', 'the standard input cannot be fixed'],
    ['--reason why', 'are for --write-baseline only'],
    ['--accept-new', 'are for --write-baseline only'],
    ['--write-baseline --fix', 'does not go with --fix'],
    ['--changed -', 'what has changed in the standard input'],
    ['--watch --fix', '--watch only looks'],
    ['--watch -o json', '--watch prints text'],
  ])('are refused: %s', async (args, words) => {
    const { code, err } = await semel(`lint ${args}`, { cwd: folder({ 'job.yaml': twice }) })
    expect(err.replaceAll(/\s+/g, ' ')).toContain(words)
    expect(code).toBe(2)
  })
})
