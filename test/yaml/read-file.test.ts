import { beforeAll, describe, expect, it } from 'vitest'
import { loadFullParser } from '../../src/adapters/full-parser.ts'
import { stringAt } from '../../src/core/json.ts'
import { positionOf, textOf } from '../../src/core/source.ts'
import { bytesOf } from '../../src/core/yaml/bytes.ts'
import type { FileReading, FullParser } from '../../src/core/yaml/document.ts'
import {
  FileReader,
  readFile,
  type ReadOptions,
  type Wanted,
} from '../../src/core/yaml/read-file.ts'

let fullParser: FullParser
beforeAll(async () => {
  fullParser = await loadFullParser()
})

const ALL: Wanted = { all: true, needles: [] }
const JOBS: Wanted = {
  needles: [{ kind: 'Job' }, { kind: 'CronJob' }, { group: 'kustomize.toolkit.fluxcd.io' }],
}

function read(text: string | Uint8Array, options: Partial<ReadOptions> = {}): FileReading {
  const bytes = typeof text === 'string' ? bytesOf(text) : text
  return readFile({ path: 'a.yaml', bytes }, { wanted: ALL, fullParser, ...options })
}

function names(reading: FileReading): readonly (string | undefined)[] {
  return reading.documents.map((document) => stringAt(document.value(), ['name']))
}

describe('streams', () => {
  it.each<[string, string, string[]]>([
    ['documents between separators', 'name: a\n---\nname: b\n', ['a', 'b']],
    ['a separator first and last', '---\nname: a\n---\n', ['a']],
    ['a comment behind a separator', '--- # x\nname: a\n---  \nname: b\n', ['a', 'b']],
    ['comments alone', '# licence\n---\nname: a\n---\n# end\n', ['a']],
    ['CRLF', 'name: a\r\n---\r\nname: b\r\n', ['a', 'b']],
    ['a byte order mark', '\ufeffname: a\n---\nname: b\n', ['a', 'b']],
    ['JSON after JSON', '{"name":"a"}\n{"name":"b"}\n', ['a', 'b']],
    ['YAML after JSON', '{"name":"a"}\n---\nname: b\n', ['a', 'b']],
    ['JSON between YAML', 'name: a\n---\n{"name":\t"b"}\n---\nname: c\n', ['a', 'b', 'c']],
    ['braces that are no JSON', '{name: a}\n', ['a']],
    ['nothing', '', []],
    ['blanks and comments', ' \n# x\n', []],
  ])('%s', (_name, text, expected) => {
    const reading = read(text)
    expect(names(reading)).toEqual(expected)
    expect(reading.errors).toEqual([])
    expect(reading.documentsSeen).toBe(expected.length)
    expect(reading.documents.map(({ index }) => index)).toEqual(expected.map((_, index) => index))
  })

  it.each([
    ['text behind a separator', 'name: a\n--- x\nb: 1\n---\nname: c\n', 'x'],
    ['a fourth dash', 'name: a\n----\nname: c\n', '-'],
  ])('%s is an error, and the documents around it are read', (_name, text, at) => {
    const reading = read(text)
    expect(reading.errors.map(({ code }) => code)).toEqual(['YAML_SEPARATOR'])
    expect(reading.errors.map(({ span }) => textOf(reading.source, span))).toEqual([at])
    expect(names(reading)).toEqual(['a', 'c'])
  })

  it('a document that starts on the line of its separator is an error, but read', () => {
    const reading = read('--- {name: a}\n---\nname: b\n')
    expect(reading.errors.map(({ code }) => code)).toEqual(['YAML_SEPARATOR'])
    expect(names(reading)).toEqual(['a', 'b'])
  })

  it.each([
    ['behind three dots', 'name: a\n...\nname: b\n---\nname: c\n', 'name: b\n', ['a', 'c']],
    ['behind a root in braces', '{name: a}\nname: b\n', 'name: b\n', ['a']],
    ['with the full parser', 'name: !!str a\n...\nname: b\n', 'name: b\n', ['a']],
  ])('text %s is dropped', (_name, text, dropped, expected) => {
    const reading = read(text)
    expect(names(reading)).toEqual(expected)
    expect(reading.droppedText.map((span) => textOf(reading.source, span))).toEqual([dropped])
    expect(reading.errors).toEqual([])
  })

  it('comments behind three dots are no dropped text', () => {
    expect(read('name: a\n...\n# x\n---\nname: b\n').droppedText).toEqual([])
  })

  it('reads ten thousand documents', () => {
    const reading = read('---\nname: a\n'.repeat(10_000))
    expect(reading.documents.length).toBe(10_000)
    expect(reading.errors).toEqual([])
  })
})

describe('what is wanted', () => {
  const JOB = 'apiVersion: batch/v1\nkind: Job\nname: j\n'
  const FLUX = 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nname: k\n'
  const OTHER = 'apiVersion: v1\nkind: ConfigMap\nname: c\n'

  it('is read, and the rest only counted', () => {
    const reading = read([OTHER, JOB, OTHER, FLUX].join('---\n'), { wanted: JOBS })
    expect(names(reading)).toEqual(['j', 'k'])
    expect(reading.documents.map(({ index }) => index)).toEqual([1, 3])
    expect(reading.documentsSeen).toBe(4)
  })

  it('is not a word inside a value, another kind or another group', () => {
    const text = [
      `${OTHER}data: {x: "kind: Job"}\n`,
      'apiVersion: v1\nkind: JobTemplate\n',
      'apiVersion: x/v1\nkind: Kustomization\nname: kustomize.toolkit.fluxcd.io\n',
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  apiVersion:\n    type: string\n',
    ].join('---\n')
    expect(read(text, { wanted: JOBS }).documents).toEqual([])
  })

  it.each([
    ['quotes', 'kind: "Job"\nname: j\n'],
    ['a quoted key', '"kind": Job\nname: j\n'],
    ['escapes', '"k\\u0069nd": "\\x4aob"\nname: j\n'],
    ['an escaped line end', 'kind: "Jo\\\n  b"\nname: j\n'],
    ['a tag', 'kind: !!str Job\nname: j\n'],
    ['base64', 'kind: !!binary Sm9i\nname: j\n'],
    ['a block scalar', 'kind: >-\n  Job\nname: j\n'],
    ['an alias', 'x: &k Job\nkind: *k\nname: j\n'],
    ['a merge key', 'x: &k {kind: Job}\n<<: *k\nname: j\n'],
    ['a question mark', '? kind\n: Job\nname: j\n'],
    ['braces', '{kind: Job, name: j}\n'],
    ['JSON', '{"kind": "Job", "name": "j"}\n'],
    ['JSON with escapes', '{"kind": "J\\u006fb", "name": "j"}\n'],
    ['an indented root', '  kind: Job\n  name: j\n'],
    ['a second kind', 'kind: Secret\nkind: Job\nname: j\n'],
    ['a list', 'kind: List\nname: j\nitems:\n- kind: Job\n'],
    ['a group in quotes', 'apiVersion: "kustomize.toolkit.fluxcd.io/v1"\nkind: K\nname: j\n'],
    [
      'a group behind an anchor',
      'apiVersion: &v kustomize.toolkit.fluxcd.io/v1\nkind: K\nname: j\n',
    ],
    [
      'a group on its own line',
      'apiVersion:\n  kustomize.toolkit.fluxcd.io/v1\nkind: K\nname: j\n',
    ],
    ['a group in JSON', '{"apiVersion" :"kustomize.toolkit.fluxcd.io/v1","kind":"K","name":"j"}'],
  ])('is found when it is spelt with %s', (_name, text) => {
    expect(names(read(`name: x\n---\n${text}`, { wanted: JOBS }))).toEqual(['j'])
    expect(names(read(text, { wanted: JOBS }))).toEqual(['j'])
  })

  it('is not lost in a plain byte array, which cannot search natively', () => {
    const bytes = new Uint8Array(Buffer.from(`${OTHER}---\n${JOB}`))
    expect(names(read(bytes, { wanted: JOBS }))).toEqual(['j'])
  })

  it('hides the faults of what nobody wants', () => {
    const text = `kind: ConfigMap\na: b: c\n---\n${JOB}`
    expect(read(text, { wanted: JOBS }).errors).toEqual([])
    expect(read(text).errors.map(({ code }) => code)).toEqual(['YAML_INVALID'])
  })

  it('hides the faults of text that names no kind, such as values for another templating tool', () => {
    const values = 'workers: 20 # for every Job\n%{ if ipv6 ~}\nip: 6\n%{ endif ~}\n'
    expect(read(values, { wanted: JOBS }).errors).toEqual([])
    expect(read(`kind: Job\n${values}`, { wanted: JOBS }).errors).toHaveLength(1)
    expect(read(`"\\x6bind": Job\n${values}`, { wanted: JOBS }).errors).toHaveLength(1)
  })

  it('reads many files with one reader', () => {
    const reader = new FileReader({ wanted: JOBS, fullParser })
    const first = reader.read({ path: 'a', bytes: bytesOf(JOB) })
    const second = reader.read({ path: 'b', bytes: bytesOf(FLUX) })
    expect([...names(first), ...names(second)]).toEqual(['j', 'k'])
  })
})

describe('bad input', () => {
  it.each<[string, string | Uint8Array, string, string]>([
    ['tabs as indentation', 'a:\n\tb: 1\n', 'YAML_INVALID', '2:1'],
    ['an unknown alias', 'a: *x\n', 'YAML_INVALID', '1:4'],
    ['an anchor that holds itself', 'a: &x [*x]\n', 'YAML_INVALID', '1:8'],
    ['a mapping as a key', 'a: 1\n? {b: 2}\n: 3\n', 'YAML_NO_JSON_FORM', '2:3'],
    ['null as a key', '~: 1\n', 'YAML_NO_JSON_FORM', '1:1'],
    ['infinity', 'a: 1\nb: .inf\n', 'YAML_NO_JSON_FORM', '2:4'],
    ['a tag that does not fit', 'a: !!int x\n', 'YAML_NO_JSON_FORM', '1:10'],
    ['JSON without a comma', '{"a": "b" "c": 1}', 'JSON_INVALID', '1:11'],
    ['a control character', 'a: "b\u0007"\n', 'YAML_INVALID', '1:6'],
    ['a zero byte', 'a: b\n\u0000', 'FILE_NOT_TEXT', '2:1'],
    [
      'bytes of another encoding',
      Uint8Array.of(0x61, 0x3a, 0x20, 0xe4, 0x0a),
      'FILE_NOT_TEXT',
      '1:4',
    ],
    ['a directive', '%YAML 1.2\n---\na: 1\n', 'YAML_INVALID', '1:1'],
    ['deep braces', `a: ${'['.repeat(2_000)}`, 'YAML_TOO_DEEP', '1:253'],
    ['deep lists', '- '.repeat(2_000), 'YAML_TOO_DEEP', '1:501'],
    ['deep JSON', `{"a": ${'['.repeat(2_000)}`, 'YAML_TOO_DEEP', '1:256'],
    ['a merge key without a mapping', 'a: {<<: 1}\n', 'YAML_INVALID', '1:9'],
    ['keys left of the first', '  a: !x 1\n b: 2\n', 'YAML_INVALID', '2:2'],
  ])('%s', (_name, text, code, position) => {
    const reading = read(text)
    const [error] = reading.errors
    expect(error?.code).toBe(code)
    const { line, column } = positionOf(reading.source, error?.span.start ?? 0)
    expect(`${line}:${column}`).toBe(position)
    expect([error?.what, error?.why, error?.remedy]).not.toContain('')
  })

  it('an alias bomb', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level < 9; level += 1) {
      const alias = `*a${level - 1}`
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => alias).join(', ')}]`)
    }
    const blocks = lines.join('\n').replaceAll(/\[(\*.*)\]/g, (_, items: string) =>
      items
        .split(', ')
        .map((item) => `\n  - ${item}`)
        .join(''),
    )
    expect(read(lines.join('\n')).errors.map(({ code }) => code)).toEqual(['YAML_ALIAS_BOMB'])
    expect(read(blocks).errors.map(({ code }) => code)).toEqual(['YAML_ALIAS_BOMB'])
  })

  it('leaves the other documents of the file alone', () => {
    const reading = read('name: a\n---\nb: c: d\n---\nname: e\n')
    expect(names(reading)).toEqual(['a', 'e'])
    expect(reading.errors.length).toBe(1)
  })

  it.each([
    ['blocks', Array.from({ length: 240 }, (_, level) => `${' '.repeat(level)}k:`).join('\n')],
    ['lists', '- '.repeat(240)],
    ['braces', `${'{a: '.repeat(240)}1${'}'.repeat(240)}`],
  ])('is not what is nested nearly too deep, in %s', (_name, text) => {
    expect(read(text).errors).toEqual([])
    expect(read(`${text} !!str x`).errors.map(({ code }) => code)).not.toContain('YAML_TOO_DEEP')
    for (const document of read(text, { limits: { depth: 10_000 } }).documents) {
      expect(document.value()).toBeTypeOf('object')
      expect(document.duplicateKeys).toEqual([])
    }
  })

  it('limits are settings', () => {
    const deep = read('a: [[[1]]]\n', { limits: { depth: 3 } })
    expect(deep.errors.map(({ what }) => what)).toEqual([
      'more than 3 lists and mappings stand inside each other',
    ])
    const many = read('name: a\n---\nname: b\n---\nname: c\n', { limits: { documents: 2 } })
    expect(names(many)).toEqual(['a', 'b'])
    expect(many.errors.map(({ code }) => code)).toEqual(['FILE_TOO_MANY_DOCUMENTS'])
    const values = read('{"name":"a"}{"name":"b"}{"name":"c"}', { limits: { documents: 2 } })
    expect(names(values)).toEqual(['a', 'b'])
    expect(values.errors.map(({ code }) => code)).toEqual(['FILE_TOO_MANY_DOCUMENTS'])
  })

  it.each(['utf-16le', 'utf-16be'])('%s with a byte order mark is read', (encoding) => {
    const text = '\ufeffname: ü\nb: c: d\n'
    const little = Buffer.from(text, 'utf16le')
    const bytes = encoding === 'utf-16le' ? little : Buffer.from(little).swap16()
    const broken = read(bytes)
    const [error] = broken.errors
    expect(positionOf(broken.source, error?.span.start ?? 0).line).toBe(2)
    const good = read(bytes.subarray(0, bytes.length - 2 * 'b: c: d\n'.length))
    expect(names(good)).toEqual(['ü'])
  })
})

describe('without the full parser', () => {
  it('asks for it where it is needed', () => {
    const text = 'name: a\n---\nname: !name b\n'
    const reading = read(text, { fullParser: undefined })
    expect(names(reading)).toEqual(['a'])
    expect(reading.needsFullParser).toBe(true)
    expect(reading.errors).toEqual([])
    expect(names(read(text))).toEqual(['a', 'b'])
  })

  it('does not ask for documents that nobody wants', () => {
    const text = 'kind: ConfigMap\na: !!str b\n---\nkind: Job\n'
    const reading = read(text, { fullParser: undefined, wanted: JOBS })
    expect(reading.needsFullParser).toBeUndefined()
    expect(reading.documents.length).toBe(1)
  })

  it('does not ask for Helm templates', () => {
    const text = '{{- if .Values.x }}\nkind: Job\nname: {{ .Release.Name }}\n{{- end }}\n'
    const reading = read(text, { fullParser: undefined, wanted: JOBS })
    expect(reading.needsFullParser).toBeUndefined()
    expect(names(reading)).toEqual(['{{ .Release.Name }}'])
  })
})

describe('keys', () => {
  it('that stand twice: the last wins, both are told', () => {
    const reading = read('a:\n  b: 1\n  c: 2\n  b: 3\n')
    const [document] = reading.documents
    expect(document?.value()).toEqual({ a: { b: 3, c: 2 } })
    expect(document?.duplicateKeys).toEqual([
      { path: ['a'], key: 'b', first: { start: 5, end: 6 }, again: { start: 19, end: 20 } },
    ])
    expect(document?.locate(['a', 'b'])?.value).toEqual({ start: 22, end: 23 })
  })

  it('that Kubernetes takes for one are duplicates', () => {
    const [document] = read('y: 1\non: 2\n').documents
    expect(document?.value()).toEqual({ true: 2 })
    expect(document?.value('kustomize')).toEqual({ y: 1, on: 2 })
    expect(document?.duplicateKeys.length).toBe(1)
    expect(document?.locate(['y'])?.value).toEqual({ start: 3, end: 4 })
  })

  it('that a merge key brings are no duplicates; Kubernetes lets the later one win', () => {
    const [document] = read('x: &x {a: 1, b: 2}\np: {a: 3, <<: *x}\nq: {<<: *x, a: 3}\n').documents
    expect(document?.value()).toMatchObject({ p: { a: 1, b: 2 }, q: { a: 3, b: 2 } })
    expect(document?.value('kustomize')).toMatchObject({ p: { a: 3, b: 2 }, q: { a: 3, b: 2 } })
    expect(document?.duplicateKeys).toEqual([])
  })

  it('of several merged mappings come from the first of them', () => {
    const [document] = read('x: &x {a: 1}\ny: &y {a: 2, b: 2}\nz: {<<: [*x, *y]}\n').documents
    expect(document?.value()).toMatchObject({ z: { a: 1, b: 2 } })
    expect(document?.value('kustomize')).toMatchObject({ z: { a: 1, b: 2 } })
  })
})

describe('ambiguous scalars', () => {
  it('are plain values and keys that the two readings take for different things', () => {
    const [document] = read('a: yes\nb: "yes"\nc: [2024-01-02, 1e3, 0777]\non: 1\n').documents
    expect(document?.ambiguousScalars()).toEqual([
      {
        path: ['a'],
        span: { start: 3, end: 6 },
        isKey: false,
        text: 'yes',
        kubernetes: true,
        kustomize: 'yes',
      },
      {
        path: ['c', 0],
        span: { start: 20, end: 30 },
        isKey: false,
        text: '2024-01-02',
        kubernetes: '2024-01-02',
        kustomize: '2024-01-02T00:00:00Z',
      },
      {
        path: [],
        span: { start: 43, end: 45 },
        isKey: true,
        text: 'on',
        kubernetes: 'true',
        kustomize: 'on',
      },
    ])
  })

  it('are none where a tag decides, or in JSON', () => {
    expect(read('a: !!str yes\n').documents[0]?.ambiguousScalars()).toEqual([])
    expect(read('{"a": "yes", "on": 1}').documents[0]?.ambiguousScalars()).toEqual([])
  })
})
