import { beforeAll, describe, expect, it } from 'vitest'
import { loadFullParser } from '../../src/adapters/full-parser.ts'
import type { Json } from '../../src/core/json.ts'
import { bytesOf } from '../../src/core/yaml/bytes.ts'
import type { FileReading, FullParser } from '../../src/core/yaml/document.ts'
import { HELM, maskTemplate } from '../../src/core/yaml/helm-mask.ts'
import { readFile, type ReadOptions } from '../../src/core/yaml/read-file.ts'

let fullParser: FullParser
beforeAll(async () => {
  fullParser = await loadFullParser()
})

function read(text: string, options: Partial<ReadOptions> = { template: 'helm' }): FileReading {
  const wanted = { all: true, needles: [] }
  return readFile({ path: 'a.yaml', bytes: bytesOf(text) }, { wanted, fullParser, ...options })
}

function values(text: string, options?: Partial<ReadOptions>): readonly Json[] {
  return read(text, options).documents.map((document) => document.value())
}

describe('what a Helm template says without rendering', () => {
  it.each<[string, string, Json]>([
    [
      'an action in a value',
      'name: {{ .Release.Name }}-migrate\n',
      { name: '{{ .Release.Name }}-migrate' },
    ],
    [
      'an action with a colon and quotes',
      'a: {{ printf "%s: x" .b }} c\n',
      { a: '{{ printf "%s: x" .b }} c' },
    ],
    [
      'an action in double quotes',
      'a: "x{{ .b | default "y" }}\\n"\n',
      { a: 'x{{ .b | default "y" }}\n' },
    ],
    [
      'an action in single quotes',
      "a: 'it''s {{ .b | default `'` }}'\n",
      { a: "it's {{ .b | default `'` }}" },
    ],
    ['an action in a key', '{{ .k }}-x: 1\n', { '{{ .k }}-x': 1 }],
    ['actions in braces', 'a: [{{ .x }}, "{{ .y }}"]\n', { a: ['{{ .x }}', '{{ .y }}'] }],
    [
      'an action over lines',
      'a: {{ include "x" (dict\n  "y" 1\n) }}\nb: 1\n',
      { a: '{{ include "x" (dict\n  "y" 1\n) }}', b: 1 },
    ],
    ['control lines', '{{- if .x }}\na: 1\n{{- else }}\nb: 2\n{{ end -}}\n', { a: 1, b: 2 }],
    ['comments', '{{/* a: 0\n}} */}}\na: 1 {{- /* x */}}\n', { a: 1 }],
    ['assignments', '{{- $x := dict "a" 1 -}}\na: 1\n', { a: 1 }],
    [
      'a condition inside a value',
      'a: {{ if .x }}b{{ else }}c{{ end }}\n',
      { a: '{{ if .x }}b{{ else }}c{{ end }}' },
    ],
    ['a condition around an entry', '{{ if .x }}a: b{{ end }}\nc: 1\n', { a: 'b', c: 1 }],
    [
      'a condition that ends behind a value',
      '{{- if .x }}\na: b {{- end }}\nc: 1\n',
      { a: 'b', c: 1 },
    ],
    ['output lines', 'a:\n  b: 1\n  {{- toYaml .x | nindent 2 }}\n', { a: { b: 1 } }],
    ['output behind a key', 'a: {{- toYaml .x | nindent 2 }}\nb: 1\n', { a: null, b: 1 }],
    [
      'output that the next lines go on with',
      'a: {{ include "x" . | indent 2 }}\n  - b\n',
      { a: ['b'] },
    ],
    ['a definition', '{{ define "x" }}\n- y: z\n{{ end }}\na: 1\n', { a: 1 }],
    ['a whole object in a definition', '{{ define "x" }}\nkind: Job\n{{ end }}\n', { kind: 'Job' }],
    ['an item in a condition on one line', 'a:\n- b\n{{ if .x }}- c{{ end }}\n', { a: ['b'] }],
    ['a loop over items', 'a:\n{{- range .x }}\n- {{ . }}\n{{- end }}\n', { a: ['{{ . }}'] }],
    ['CRLF', '{{- if .x }}\r\na: {{ .b }}\r\n{{- end }}\r\n', { a: '{{ .b }}' }],
    [
      'a comment behind an action line',
      'a: 1\n{{ if .x }} # why\nb: 2\n{{ end }}\n',
      { a: 1, b: 2 },
    ],
    ['text that is no action', 'a: "}} {"\n', { a: '}} {' }],
    ['an action that never ends', 'a: "{{ x"\n', { a: '{{ x' }],
  ])('%s', (_name, text, value) => {
    const reading = read(text)
    expect(reading.unreadTemplate).toBeUndefined()
    expect(reading.documents.map((document) => document.value())).toEqual([value])
  })

  it.each<[string, string, string]>([
    ['keeps actions in its text', 'a: |\n  x {{ .b }}\n  y\n', 'x {{ .b }}\ny\n'],
    [
      'keeps control lines',
      'a: |\n  {{- if .x }}\n  y\n  {{- end }}\nb: 1\n',
      '{{- if .x }}\ny\n{{- end }}\n',
    ],
    [
      'takes output lines of its depth',
      'a: |\n{{ .Files.Get "x" | indent 2 }}\nb: 1\n',
      '{{ .Files.Get "x" | indent 2 }}\n',
    ],
    [
      'takes output on its own line',
      'a: | {{- toYaml .x | nindent 2 }}\nb: 1\n',
      '{{- toYaml .x | nindent 2 }}\n',
    ],
    ['ends before an action of its parent', 'a: |\n  y\n{{- if .x }}\nb: 1\n{{- end }}\n', 'y\n'],
  ])('a block scalar %s', (_name, text, value) => {
    const reading = read(text)
    expect(reading.unreadTemplate).toBeUndefined()
    expect(reading.documents[0]?.value()).toMatchObject({ a: value })
  })

  it('separators in conditions split documents', () => {
    expect(values('a: 1\n{{ if .x }}---{{ end }}\na: 2\n')).toEqual([{ a: 1 }, { a: 2 }])
  })

  it('takes one branch where both are no YAML, and says that the other is open', () => {
    const reading = read('a:\n{{- if .x }}\n- b\n{{- else }}\n  []\n{{- end }}\n')
    expect(reading.documents.map((document) => document.value())).toEqual([{ a: ['b'] }])
    expect(reading.openPlaces?.map(({ indent }) => indent)).toEqual([2])
  })

  it('says what it could not read, and no error', () => {
    const reading = read('a: 1\n---\nb: {{ .x }}\n  c: 1\n')
    expect(reading.documents.map((document) => document.value())).toEqual([{ a: 1 }])
    expect(reading.errors).toEqual([])
    expect(reading.unreadTemplate?.map(({ code }) => code)).toEqual(['YAML_INVALID'])
  })

  it('keeps every offset', () => {
    const text = '{{- if .x }}\nname: {{ .y }}-z # {{ .w }}\n{{- end }}\nb: 2\n'
    const [document] = read(text).documents
    const found = document?.locate(['name'])
    expect(text.slice(found?.value.start, found?.value.end)).toBe('{{ .y }}-z')
    expect(text.slice(document?.locate(['b'])?.key?.start).startsWith('b: 2')).toBe(true)
    expect(maskTemplate(bytesOf(text), HELM).bytes.length).toBe(text.length)
  })

  it('leaves the bytes of the file alone', () => {
    const bytes = Buffer.from('a: {{ .x }}\n')
    maskTemplate(bytes, HELM)
    expect(bytes.toString()).toBe('a: {{ .x }}\n')
  })
})

describe('duplicate keys of a template', () => {
  it('are none when a branch lies between them', () => {
    const text = '{{ if .x }}\na: 1\n{{ else }}\na: 2\n{{ end }}\nb: 1\n'
    expect(read(text).documents[0]?.duplicateKeys).toEqual([])
  })

  it('are told when nothing lies between them', () => {
    const text = '{{ if .x }}\na: 1\na: {{ .y }}\n{{ end }}\n'
    expect(read(text).documents[0]?.duplicateKeys.map(({ key }) => key)).toEqual(['a'])
  })
})

describe('files that nobody called a template', () => {
  it('are read as one when they are no YAML and hold actions', () => {
    const reading = read('a: {{ .x }}\n', {})
    expect(reading.template).toBe('helm')
    expect(reading.errors).toEqual([])
    expect(values('a: {{ .x }}\n', {})).toEqual([{ a: '{{ .x }}' }])
  })

  it('stay YAML when their actions stand in quotes, and when they are wrong without actions', () => {
    expect(read('a: "{{ .x }}"\n', {}).template).toBeUndefined()
    const wrong = read('a: b: c\n', {})
    expect(wrong.template).toBeUndefined()
    expect(wrong.errors.length).toBe(1)
  })

  it('are wanted when an action makes their kind', () => {
    const wanted = { needles: [{ kind: 'Job' }] }
    const text = 'kind: {{ ternary "CronJob" "Job" .x }}\nname: a\n'
    expect(values(text, { wanted })).toEqual([
      { kind: '{{ ternary "CronJob" "Job" .x }}', name: 'a' },
    ])
    expect(values('kind: {{ .x }}\nname: a\n', { wanted })).toEqual([])
  })
})

describe('templates of a ResourceSet', () => {
  it('have other delimiters', () => {
    const text = '<<- range $x := .y >>\n---\nname: << $x.name >>\n<<- end >>\nb: "{{ .z }}"\n'
    const reading = read(text, { template: 'resourceset' })
    expect(reading.template).toBe('resourceset')
    expect(reading.documents.map((document) => document.value())).toEqual([
      { name: '<< $x.name >>', b: '{{ .z }}' },
    ])
  })
})
