import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { stringAt, type JsonObject } from '../../src/core/json.ts'
import { stamp } from '../../src/stamp/stamp.ts'
import { applyEdits } from '../../src/core/edits.ts'
import type { StampOptions } from '../../src/stamp/stamp-types.ts'
import { at, fullParser, outputOf, stampText } from './harness.ts'
import { jobText, stream } from './manifests.ts'

function files(texts: Readonly<Record<string, string>>): { path: string; bytes: Uint8Array }[] {
  return Object.entries(texts).map(([path, text]) => ({
    path,
    bytes: new TextEncoder().encode(text),
  }))
}

function nameOf(text: string, options: StampOptions = {}): string | undefined {
  const { objects, faults } = stampText(text, options)
  expect(faults).toEqual([])
  return objects[0]?.newName
}

describe('the name', () => {
  it('follows what the Job does', () => {
    const name = nameOf(jobText('migrate'))
    expect(name).toMatch(/^migrate-[0-9a-f]{8}$/)
    expect(nameOf(jobText('migrate', { image: 'registry.example.test/app:1.3' }))).not.toBe(name)
  })

  it.each([
    ['a TTL', '  ttlSecondsAfterFinished: 60'],
    ['a default', '  completions: 1'],
    ['suspension', '  suspend: true'],
  ])('does not follow %s', (_, spec) => {
    expect(nameOf(jobText('migrate', { spec }))).toBe(nameOf(jobText('migrate')))
  })

  it('follows a salt, and its change', () => {
    const names = ['', '1', '2'].map((salt) =>
      nameOf(jobText('x', { annotations: { 'semel.dev/salt': salt } })),
    )
    expect(new Set(names).size).toBe(3)
    expect(names[0]).toBe(nameOf(jobText('x')))
  })

  it('is made anew from its base when a stamped Job is edited', () => {
    const first = stampText(jobText('migrate'))
    const edited = first.output.replace('app:1.2', 'app:1.3')
    const second = stampText(edited)
    expect(second.objects[0]).toMatchObject({
      name: first.objects[0]?.newName,
      base: 'migrate',
      state: 'renamed',
      changes: [{ path: 'spec.template.spec.containers[main].image', change: 'changed' }],
    })
    expect(second.output).toBe(
      stampText(jobText('migrate', { image: 'registry.example.test/app:1.3' })).output,
    )
  })

  it('keeps the policy that a Job was stamped with', () => {
    const { output } = stampText(jobText('migrate'), { policy: 'adr-012' })
    expect(stampText(output).output).toBe(output)
    expect(stampText(output, { policy: 'intent' }).objects[0]?.state).toBe('renamed')
  })

  it('of a copied stamped Job has the new base', () => {
    const { output } = stampText(jobText('migrate'))
    const copy = output.replace(/name: migrate-\w+/, 'name: import')
    expect(nameOf(copy)).toMatch(/^import-[0-9a-f]{8}$/)
  })

  it('fits into 63 bytes with the index of an Indexed Job', () => {
    const base = 'a'.repeat(60)
    const name = nameOf(jobText(base, { spec: '  completionMode: Indexed\n  completions: 1000' }))
    expect(name).toHaveLength(63 - '-999'.length)
  })
})

describe('semel.dev/was', () => {
  const adopted = (was: string, image?: string): string =>
    jobText('db-migrate', { annotations: { 'semel.dev/was': was }, ...(image ? { image } : {}) })

  it('keeps the old name in files until the content changes', () => {
    const first = stampText(adopted('migrate'), { inPlace: true })
    expect(first.objects[0]?.newName).toBe('migrate')
    expect(first.notes.map(({ code }) => code)).toEqual(['was-kept'])
    expect(stampText(first.output, { inPlace: true }).output).toBe(first.output)
    const later = stampText(first.output.replace('app:1.2', 'app:1.3'), { inPlace: true })
    expect(later.objects[0]?.newName).toMatch(/^db-migrate-[0-9a-f]{8}$/)
    expect(later.notes.map(({ code }) => code)).toEqual(['was-spent'])
  })

  it('in a stream asks for the fingerprint, and then lets a change through', () => {
    const first = stampText(adopted('migrate'))
    expect(first.notes[0]?.code).toBe('was-not-pinned')
    const pinned =
      /semel\.dev\/was: (migrate@[0-9a-f]{8})/.exec(first.notes[0]?.remedy ?? '')?.[1] ?? ''
    const second = stampText(adopted(pinned))
    expect(second.objects[0]?.newName).toBe('migrate')
    expect(second.notes.map(({ code }) => code)).toEqual(['was-kept'])
    expect(nameOf(adopted(pinned, 'registry.example.test/app:1.3'))).toMatch(/^db-migrate-/)
  })

  it('takes the whole fingerprint too', () => {
    const { objects } = stampText(jobText('db-migrate'))
    const digest = objects[0]?.fingerprint.digest ?? ''
    expect(nameOf(adopted(`migrate@intent/v1:${digest}`))).toBe('migrate')
  })

  it('without a fingerprint is refused in a strict stream', () => {
    const { faults, output } = stampText(adopted('migrate'), { strict: true })
    expect(faults.map(({ code }) => code)).toEqual(['STAMP_INVALID'])
    expect(output).toBe(adopted('migrate'))
  })

  it.each(['two words', '@12345678', 'x@12', 'x@nothex00'])('is refused: %j', (was) => {
    expect(stampText(adopted(was)).faults[0]).toMatchObject({ code: 'STAMP_INVALID' })
  })

  it('is refused when no Job can be called so', () => {
    const { faults } = stampText(adopted('Not_A_Name'))
    expect(faults[0]).toMatchObject({ code: 'NAME_INVALID' })
  })
})

describe('semel.dev/follow', () => {
  const map = (value: string, namespace = ''): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n${namespace}data:\n  a: ${value}\n`
  const secret = (value: string, more = ''): string =>
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\n${more}stringData:\n  a: ${value}\n`
  const follower = (follow: string): string =>
    jobText('x', { annotations: { 'semel.dev/follow': follow } })
  const key = { secretKey: 'k' }

  it('makes the content of a ConfigMap part of the name', () => {
    const name = nameOf(stream(map('1'), follower('ConfigMap/settings')))
    expect(nameOf(stream(map('2'), follower('ConfigMap/settings')))).not.toBe(name)
    expect(nameOf(stream(follower('ConfigMap/settings'), map("'1'")))).not.toBe(name)
    expect(nameOf(stream(follower('ConfigMap/settings'), map('1')))).toBe(name)
  })

  it('makes the content of a Secret part of it with a key only', () => {
    const name = nameOf(stream(secret('1'), follower('Secret/db')), key)
    expect(nameOf(stream(secret('2'), follower('Secret/db')), key)).not.toBe(name)
    expect(nameOf(stream(secret('1'), follower('Secret/db')), { secretKey: 'other' })).not.toBe(
      name,
    )
    const data = `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  a: MQ==\n`
    expect(nameOf(stream(data, follower('Secret/db')), key)).toBe(
      nameOf(stream(secret("'1'"), follower('Secret/db')), key),
    )
    expect(stampText(stream(secret('1'), follower('Secret/db'))).faults[0]?.code).toBe(
      'FOLLOW_SECRET_OPEN',
    )
  })

  it('or by its version, the same with a key and without', () => {
    const versioned = (value: string, version: string): string =>
      stream(
        secret(value, `  annotations: {semel.dev/version: "${version}"}\n`),
        follower('Secret/db'),
      )
    const name = nameOf(versioned('1', 'a'))
    expect(nameOf(versioned('2', 'a'))).toBe(name)
    expect(nameOf(versioned('1', 'a'), key)).toBe(name)
    expect(nameOf(versioned('1', 'b'))).not.toBe(name)
  })

  it('never shows the data of a Secret', () => {
    const { output, objects } = stampText(stream(secret('hunter2'), follower('Secret/db')), key)
    const stamped = output.slice(output.indexOf('kind: Job'))
    expect(stamped).not.toContain('hunter2')
    expect(JSON.stringify(objects.map(({ fingerprint }) => fingerprint))).not.toContain('hunter2')
  })

  it('refuses what is missing, unless it may be', () => {
    const { faults, files: written } = stampText(follower('ConfigMap/settings'))
    expect(faults.map(({ code, place }) => [code, at(place)])).toEqual([
      ['FOLLOW_NOT_FOUND', '<stdin>:6:23'],
    ])
    expect(written[0]?.edits).toEqual([])
    expect(nameOf(follower('ConfigMap/settings?'))).toMatch(/^x-/)
  })

  it('looks in the namespace of the Job', () => {
    const other = map('1', '  namespace: other\n')
    const job = jobText('x', {
      namespace: 'shop',
      annotations: { 'semel.dev/follow': 'ConfigMap/settings' },
    })
    expect(stampText(stream(other, job)).faults[0]?.code).toBe('FOLLOW_NOT_FOUND')
  })

  it('refuses two objects of one name with different content', () => {
    const { faults } = stampText(stream(map('1'), map('2'), follower('ConfigMap/settings')))
    expect(faults[0]).toMatchObject({
      code: 'FOLLOW_NOT_FOUND',
      what: expect.stringContaining('more than once') as string,
    })
  })

  it.each(['', ' , ', 'ConfigMap', 'configmap/x', 'Pod/x', 'ConfigMap/X', 'all,everything'])(
    'says what it may hold: %j',
    (follow) => {
      const codes = stampText(follower(follow)).faults.map(({ code }) => code)
      expect(codes).toEqual(follow.trim() === '' ? [] : ['STAMP_INVALID'])
    },
  )
})

describe('several files', () => {
  it('are one stream: references follow across them', () => {
    const role = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: waiter}
rules:
- {apiGroups: [batch], resources: [jobs], resourceNames: [migrate], verbs: [get]}
`
    const result = stamp(files({ 'a.yaml': role, 'b.yaml': jobText('migrate') }), { fullParser })
    const name = result.objects[0]?.newName ?? ''
    expect(outputOf(result, 0)).toContain(`resourceNames: [${name}]`)
    expect(result.references.map(({ place }) => at(place))).toEqual(['a.yaml:5:59'])
  })

  it('may hold the same Job for two environments', () => {
    const one = jobText('migrate')
    const other = jobText('migrate', { image: 'registry.example.test/app:2' })
    const result = stamp(files({ 'dev/a.yaml': one, 'prod/a.yaml': other, 'test/a.yaml': one }), {
      fullParser,
    })
    expect(result.faults).toEqual([])
    expect(result.objects.map(({ newName }) => newName)).toHaveLength(3)
  })

  it('may not hold two Jobs that would get one name', () => {
    const { output } = stampText(jobText('migrate'))
    const taken = jobText(/migrate-\w+/.exec(output)?.[0] ?? '', {
      annotations: { 'semel.dev/stamp': 'false' },
    })
    const result = stamp(files({ 'a.yaml': jobText('migrate'), 'b.yaml': taken }), { fullParser })
    expect(result.faults.map(({ code, place }) => [code, at(place)])).toEqual([
      ['NAME_COLLISION', 'b.yaml:4:9'],
    ])
    expect(result.files.flatMap(({ edits }) => edits)).toEqual([])
  })

  it('let a reference mean the Job of its own file', () => {
    const waiting = (image: string): string =>
      stream(jobText('migrate', { image }), jobText('load', { args: '[wait, job/migrate]' }))
    const result = stamp(files({ 'dev.yaml': waiting('app:1'), 'prod.yaml': waiting('app:2') }), {
      fullParser,
    })
    for (const file of [0, 1]) {
      const name = result.objects[file * 2]?.newName
      expect(outputOf(result, file)).toContain(`job/${name}`)
    }
    expect(result.findings).toEqual([])
  })
})

describe('what cannot be read', () => {
  it.each([
    ['a document that is no YAML', 'a: "x\n', 'YAML_INVALID'],
    ['a document that is no JSON', '{"a": 1\n', 'JSON_INVALID'],
    ['text behind a separator', 'a: b\n--- c: d\n', 'YAML_SEPARATOR'],
    ['a zero byte', 'a: b\0\n', 'FILE_NOT_TEXT'],
    ['a template action outside quotes', 'a: {{ .x }}\n', 'YAML_INVALID'],
  ])('stops everything: %s', (_, text, code) => {
    const input = stream(jobText('migrate'), text)
    const { faults, output } = stampText(input)
    expect(faults.length).toBeGreaterThan(0)
    expect(faults.map((fault) => fault.code)).toContain(code)
    expect(output).toBe(input)
  })

  it('is left alone where it is a template in a file', () => {
    const chart = stream(
      jobText('{{ .Release.Name }}-x'),
      '{{- if .Values.a }}\na: b\n{{- end }}\n',
    )
    const { faults, notes, output } = stampText(chart, { rendered: false })
    expect(faults).toEqual([])
    expect(output).toBe(chart)
    expect(notes.length).toBeGreaterThan(0)
  })

  it('needs the full parser, and says so', () => {
    const odd = stream(jobText('migrate'), '<<: {a: b}\n')
    const [source] = files({ a: odd })
    const without = stamp(source === undefined ? [] : [source], { rendered: true })
    expect(without).toMatchObject({ needsFullParser: true, objects: [], faults: [] })
    expect(nameOf(odd)).toMatch(/^migrate-/)
  })

  it('is too much', () => {
    const { faults } = stampText('a: b\n---\n'.repeat(5), { limits: { documents: 3 } })
    expect(faults.map(({ code }) => code)).toEqual(['FILE_TOO_MANY_DOCUMENTS'])
  })
})

describe('other encodings', () => {
  it('a byte order mark stays', () => {
    const { output } = stampText(`\uFEFF${jobText('migrate')}`)
    expect(output.startsWith('\uFEFFapiVersion')).toBe(true)
    expect(output).toMatch(/name: migrate-[0-9a-f]{8}\n/)
  })

  it.each([
    ['little', true],
    ['big', false],
  ])('UTF-16 (%s endian) stays', (_, isLittle) => {
    const text = `\uFEFF${jobText('migrate', { args: '[é, 🙂]' })}`
    const bytes = new Uint8Array(text.length * 2)
    const view = new DataView(bytes.buffer)
    for (let index = 0; index < text.length; index += 1)
      view.setUint16(index * 2, text.charCodeAt(index), isLittle)
    const result = stamp([{ path: 'x', bytes }], { fullParser, rendered: true })
    const output = applyEdits(bytes, result.files[0]?.edits ?? [])
    const decoded = new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be', { ignoreBOM: true }).decode(
      output,
    )
    expect(decoded.startsWith('\uFEFFapiVersion')).toBe(true)
    expect(decoded).toContain('args: [é, 🙂]')
    expect(decoded).toMatch(/name: migrate-[0-9a-f]{8}\n/)
    expect(
      stamp([{ path: 'x', bytes: output }], { fullParser, rendered: true }).files[0]?.edits,
    ).toEqual([])
  })
})

it('says for each value what an ordinary reader of YAML sees too', () => {
  const { output, objects } = stampText(stream(jobText('a'), jobText('123'.replace(/^/, 'x'))))
  const documents = parseAllDocuments(output).map((document) => document.toJS() as JsonObject)
  for (const [index, object] of objects.entries()) {
    const document = documents[index]
    expect(stringAt(document, ['metadata', 'name'])).toBe(object.newName)
    expect(stringAt(document, ['metadata', 'annotations', 'semel.dev/base'])).toBe(object.base)
    expect(stringAt(document, ['metadata', 'labels', 'semel.dev/once'])).toBe('true')
  }
})

describe('beside a Job', () => {
  it('a document of the same name without restart policy is its patch, and follows its name', () => {
    const patch = jobText('migrate', { image: 'other:2' }).replace(
      '      restartPolicy: Never\n',
      '',
    )
    const { output, objects, notes } = stampText(stream(jobText('migrate'), patch))
    expect(objects).toHaveLength(1)
    expect(notes.map(({ code }) => code)).toEqual(['patch'])
    expect(output.match(new RegExp(`name: ${objects[0]?.newName}\n`, 'g'))).toHaveLength(2)
    expect(stampText(patch).objects).toHaveLength(1)
  })

  it('another that keeps its name and refers to it is warned of', () => {
    const fixed = jobText('load', {
      annotations: { 'semel.dev/stamp': 'false' },
      args: '[wait, job/migrate]',
    })
    const { output, objects, notes } = stampText(stream(jobText('migrate'), fixed))
    expect(output).toContain(`args: [wait, job/${objects[0]?.newName}]`)
    expect(notes.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      'info opted-out',
      'warning fixed-name',
    ])
  })
})
