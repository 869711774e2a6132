import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { renderChart } from './chart.ts'

const RELEASE = { name: 'rel', namespace: 'shop', revision: 1, isInstall: true }

function texts(files: { readonly [path: string]: string }, values: JsonObject = {}): unknown {
  const found = renderChart(files, values, RELEASE)
  if ('fault' in found) return found.fault
  return Object.fromEntries(found.files.map(({ path, text }) => [path, text]))
}

const PARENT = {
  'Chart.yaml': `name: shop
version: 1.0.0
dependencies:
- {name: db, version: 1.x.x, condition: db.enabled, alias: store}
- {name: cache, version: ">=1", tags: [fast]}
- {name: lib, version: "*"}
`,
  'values.yaml': 'global: {region: eu}\nstore: {size: 5}\ntags: {fast: false}\n',
  'templates/a.yaml': '{{ include "lib.name" . }}-{{ .Values.store.size }}',
  'charts/db/Chart.yaml': 'name: db\nversion: 1.2.0\n',
  'charts/db/values.yaml': 'size: 1\nkind: pg\n',
  'charts/db/templates/b.yaml':
    '{{ .Chart.Name }} {{ .Values.size }} {{ .Values.kind }} {{ .Values.global.region }} {{ .Template.Name }}',
  'charts/cache/Chart.yaml': 'name: cache\nversion: 2.0.0\n',
  'charts/cache/templates/c.yaml': 'cache',
  'charts/lib/Chart.yaml': 'name: lib\nversion: 0.1.0\ntype: library\n',
  'charts/lib/templates/_n.tpl': '{{ define "lib.name" }}{{ .Release.Name }}{{ end }}',
  'charts/lib/templates/never.yaml': 'never',
}

describe('charts in a chart', () => {
  it('get their values, aliases and globals; tags and conditions switch them off', () => {
    expect(texts(PARENT)).toEqual({
      'charts/store/templates/b.yaml': 'store 5 pg eu shop/charts/store/templates/b.yaml',
      'templates/a.yaml': 'rel-5',
    })
  })

  it('are switched on by a tag', () => {
    expect(texts(PARENT, { tags: { fast: true } })).toHaveProperty(
      ['charts/cache/templates/c.yaml'],
      'cache',
    )
  })

  it('are switched off by a condition', () => {
    expect(texts(PARENT, { db: { enabled: false } })).toEqual({ 'templates/a.yaml': 'rel-5' })
  })

  it('lose a default by null', () => {
    expect(texts(PARENT, { store: { kind: null } })).toHaveProperty(
      ['charts/store/templates/b.yaml'],
      'store 5  eu shop/charts/store/templates/b.yaml',
    )
  })
})

describe('what a chart may not do', () => {
  it.each([
    ['{{ until 1000000000 }}', 'longer than 100000'],
    ['{{ range until 99999 }}{{ range until 99999 }}{{ end }}{{ end }}', 'steps'],
    ['{{ repeat 10000000 "x" }}', 'more than 1 MiB'],
    ['{{ indent 100000000 "x" }}', 'more than 1 MiB'],
    ['{{ printf "%999999999d" 1 }}', 'more than 100000'],
    ['{{ define "x" }}{{ include "x" . }}{{ end }}{{ include "x" . }}', 'more than 200 deep'],
    ['{{ tpl .Values.self . }}', 'more than 200 deep'],
    ['{{ regexMatch "(a{1000}){1000}" "a" }}', 'nests or repeats too much'],
  ])('%s', (template, why) => {
    const files = { 'Chart.yaml': 'name: demo\n', 'templates/a.yaml': template }
    expect(texts(files, { self: '{{ tpl .Values.self . }}' })).toContain(why)
  })

  it('hangs on no pattern', () => {
    const template = '{{ regexMatch "^(a+)+$" (printf "%sb" (repeat 10000 "a")) }}'
    const files = { 'Chart.yaml': 'name: demo\n', 'templates/a.yaml': template }
    expect(texts(files)).toEqual({ 'templates/a.yaml': 'false' })
  })
})

describe('a fault', () => {
  it.each([
    ['a: 1\nb: {{ required "set image" .Values.image }}', 'demo/templates/a.yaml:2:6: '],
    ['{{ upper 3 }}', 'at <upper 3>: wrong type for value; expected string; got int'],
    ['{{ if false }}{{ nope }}{{ end }}', 'a.yaml:1:17: function "nope" not defined'],
    ['{{ toToml .Values }}', 'the function toToml is not part of this model'],
    ['{{ .Values.a.b }}', 'nil pointer evaluating interface {}.b'],
  ])('%s', (template, why) => {
    const files = { 'Chart.yaml': 'name: demo\n', 'templates/a.yaml': template }
    expect(texts(files)).toContain(why)
  })
})
