import { describe, expect, it } from 'vitest'
import { JOB_GROUP_CODES } from '../../src/render/problems.ts'
import { folder, semel } from './cli.ts'
import { golden } from './golden.ts'

const VALUES = `image: { repository: my/migrator, tag: v1 }
jobGroups:
  db:
    jobs:
      migrate:
        command: ./migrate.sh
`
const NAMED = 'render -f values.yaml --release shop --namespace prod'

describe('semel render', () => {
  const cwd = folder({
    'values.yaml': VALUES,
    'prod.yaml': 'image:\n  tag: v2\njobGroups: {db: {jobs: {migrate: {backoffLimit: 0}}}}\n',
    'bad.yaml': 'image: {tag: 2}\njobGroups: {db: {jobs: {migrate: {backofLimit: 0}}}}\n',
    'script.sh': 'set -e\n./migrate.sh\n',
  })

  it('writes manifests to the standard output and warnings to the other', async () => {
    await golden('render-yaml', NAMED, { cwd })
  })

  it('writes a List for programs', async () => {
    await golden('render-json', `${NAMED} -o json --tag-policy allow`, { cwd })
  })

  it('reads values from a pipe', async () => {
    const piped = await semel('render -f - --release shop', { stdin: VALUES })
    const named = await semel('render -f values.yaml --release shop', { cwd })
    expect(piped).toEqual({ ...named, err: named.err.replaceAll('values.yaml', '<stdin>') })
    expect(piped.err).toContain('<stdin>:1:40')
  })

  it('merges several files, and --set, --set-string and --set-file over them', async () => {
    const args = `${NAMED} -f prod.yaml --set jobGroups.db.backoffLimit=2,image.digest=sha256:1 --set-string jobGroups.db.env.N=5 --set-file jobGroups.db.jobs.migrate.command=script.sh`
    await golden('render-merged', args, { cwd })
  })

  it('tells all that is wrong at once, each with the file it comes from, and writes nothing', async () => {
    await golden('render-wrong', `${NAMED} -f bad.yaml --set jobGroups.db.kind=Jbo`, { cwd })
  })

  it('says what to do about warnings of one kind once, and about errors each time', async () => {
    const two = (job: string): string =>
      `${VALUES}      seed: { ${job} }\n`.replace('command: ./migrate.sh', job)
    const warned = await semel('render -f - --release shop', { stdin: two('command: x') })
    expect(warned.err.match(/JG201|remedy/g)).toEqual(['JG201', 'remedy', 'JG201'])
    const wrong = await semel('render -f - --release shop', { stdin: two('cmmand: x') })
    expect(wrong.err.match(/JG102|remedy {2}write command/g)).toHaveLength(4)
  })

  it('sends numbers on the command line to --set-string', async () => {
    const { err } = await semel(`${NAMED} --set image.tag=5`, { cwd })
    expect(err).toContain(
      'error JG116: image.tag: must be text, is the number 5\n  --set image.tag=5\n',
    )
    expect(err).toContain('remedy  use --set-string')
  })

  it('colours the severity where a person reads', async () => {
    const { err } = await semel(`${NAMED} --color always`, { cwd })
    expect(err.replaceAll('\u001b', '')).toMatch(/^\[\d+mwarning\[\d+m JG201: /)
  })

  it('renders ConfigMaps only when asked', async () => {
    const stdin = `${VALUES}configMaps: { cfg: { enabled: true, mountPath: /etc/app, data: { a: b } } }\n`
    const without = await semel('render -f - --release shop', { stdin })
    expect(without.out).not.toContain('kind: ConfigMap')
    const { out } = await semel('render -f - --release shop --config-maps', { stdin })
    expect(out).toMatch(/^apiVersion: v1\nkind: ConfigMap\n[\s\S]*name: shop-app-cfg\n[\s\S]*---\n/)
    expect(out.endsWith(without.out)).toBe(true)
  })

  it('gives the same bytes again, and the same name for the same intent', async () => {
    const [one, other] = [await semel(NAMED, { cwd }), await semel(NAMED, { cwd })]
    expect(other).toEqual(one)
    expect(one.out).toContain('name: shop-app-db-migrate-0231d2e9\n')
  })

  it.each<[string, string]>([
    ['--release other', 'name: other-app-db-migrate-0231d2e9'],
    ['--release my-app', 'name: my-app-db-migrate-0231d2e9'],
    ['--release shop --chart web', 'name: shop-web-db-migrate-0231d2e9'],
    ['--release shop --app-version 1.20', 'app.kubernetes.io/version: "1.20"'],
    ['--release shop -n web', 'namespace: web'],
    ['--set fullnameOverride=all', 'name: all-db-migrate-0231d2e9'],
  ])('takes %s', async (args, words) => {
    const { code, out } = await semel(`render -f values.yaml ${args}`, { cwd })
    expect(out).toContain(`${words}\n`)
    expect(code).toBe(0)
  })

  it('leaves keys of others alone when asked, but for a misspelt jobGroups', async () => {
    const args = 'render -f - --release shop --shared-values'
    const shared = await semel(args, {
      stdin: `${VALUES}replicas: 3\nservice: {port: 80}\nimages: []\n`,
    })
    expect([shared.code, shared.err]).toEqual([0, expect.not.stringContaining('JG102')])
    const misspelt = await semel(args, { stdin: `${VALUES}jobGroup: {}\n` })
    expect([misspelt.code, misspelt.out]).toEqual([2, ''])
    expect(misspelt.err).toContain('Did you mean jobGroups?')
  })

  it('says so when there is nothing to render', async () => {
    const { code, out, err } = await semel('render -f - --release shop', {
      stdin: 'jobGroups: {}\n',
    })
    expect([code, out]).toEqual([0, ''])
    expect(err).toBe('No job to render: jobGroups is empty, or everything in it is switched off.\n')
  })

  it('reads what needs the full parser, with its positions', async () => {
    const stdin = `x: &i { repository: a, tag: v1 }\nimage: *i\njobGroups: {db: {jobs: {migrate: {command: x}}}}\n`
    const refused = await semel('render -f - --release shop', { stdin })
    expect(refused.err).toContain('error JG102: x: unknown key')
    expect(refused.err).toContain('<stdin>:1:1')
    const { code, out } = await semel('render -f - --release shop --shared-values', { stdin })
    expect([code, out]).toEqual([0, expect.stringContaining('image: a:v1')])
  })

  it.each<[string, Record<string, string>, string]>([
    ['render', {}, 'no values are given'],
    ['render -f values.yaml', {}, 'no release name is given'],
    ['render -f missing.yaml --release a', {}, 'missing.yaml does not exist'],
    ['render -f - -f - --release a', {}, '-f - is given twice'],
    ['render -f x.yaml --release a', { 'x.yaml': 'a: [1\n' }, 'x.yaml:'],
    [
      'render -f x.yaml --release a',
      { 'x.yaml': 'env: {}\nenv: {A: b}\n' },
      'the key env stands twice in the values',
    ],
    [
      'render -f x.yaml --release a',
      { 'x.yaml': 'env: {}\n---\nenv: {}\n' },
      'x.yaml holds more than one document',
    ],
    [
      'render -f x.yaml --release a',
      { 'x.yaml': '- a\n' },
      'x.yaml holds no mapping of keys to values',
    ],
    ['render -f x.yaml --release a', { 'x.yaml': 'env: {Y: a}\n' }, 'the key Y is read as "true"'],
    [
      'render -f x.yaml --release a',
      { 'x.yaml': 'image:\n  tag: {{ .Values.tag }}\n' },
      'x.yaml holds {{ }}, and nobody fills it in',
    ],
    [
      'render -f x.yaml --release a',
      { 'x.yaml': 'env: {}\n...\nenv: {A: b}\n' },
      'more text follows',
    ],
    ['render -f values.yaml --release a --set a', {}, "--set a: 'a' has no value"],
    ['render -f values.yaml --release a --set-file env.A=none.txt', {}, 'none.txt does not exist'],
    ['render -f values.yaml --release Shop', {}, "the full name 'Shop-app' is no DNS-1123 label"],
    ['render -f values.yaml --release a -n _', {}, "the namespace '_' is no DNS-1123 label"],
    ['render -f values.yaml --release a --engine fluxx', {}, 'Allowed choices are any, flux'],
    ['render -f values.yaml --release a more', {}, 'too many arguments'],
  ])('refuses %s %j', async (args, files, words) => {
    const { code, out, err } = await semel(args, {
      cwd: folder({ 'values.yaml': VALUES, ...files }),
    })
    expect(err).toContain(words)
    expect(out).toBe('')
    expect(code).toBe(2)
  })

  it('a release name of 63 characters is taken, and a longer one is not cut', async () => {
    const name = 'a'.repeat(59)
    const fits = await semel(`render -f values.yaml --release ${name}`, { cwd })
    expect([fits.code, fits.err]).toEqual([0, expect.not.stringContaining('error')])
    const long = await semel(`render -f values.yaml --release ${name}a`, { cwd })
    expect(long.err).toContain('error JG103: values: the full name')
    expect(long.code).toBe(2)
  })
})

describe('semel explain', () => {
  it('explains every code of semel render', async () => {
    for (const code of Object.keys(JOB_GROUP_CODES)) {
      const { code: exit, out } = await semel(`explain ${code}`)
      expect(out).toMatch(new RegExp(`^## ${code}\n\n\\S[\\s\\S]*(?:error|warning) ${code}: `))
      expect(exit).toBe(0)
    }
  })
})
