import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { covers, expressionsIn, variablesOf, type Expression } from './expressions.ts'

const MARKS = ['{{', '<<', '${'] as const
const NONE = variablesOf('', MARKS)

function one(text: string, file = ''): Expression {
  const [expression] = expressionsIn(text, variablesOf(file, MARKS), MARKS)
  if (expression === undefined) throw new Error(`no action in ${text}`)
  return expression
}

describe('what an action reads', () => {
  it.each([
    ['a value', '{{ .Values.image.tag }}', ['.Values.image.tag']],
    ['a value from the root', '{{ $.Values.image.tag | quote }}', ['.Values.image.tag']],
    ['a trimmed action', '{{- .Values.a -}}', ['.Values.a']],
    [
      'a fallback',
      '{{ .Values.a | default .Chart.AppVersion }}',
      ['.Values.a', '.Chart.AppVersion'],
    ],
    ['a key with a dash', '{{ index .Values "my-job" "tag" }}', ['.Values.my-job.tag']],
    ['a condition', '{{- if .Values.debug }}', ['.Values.debug']],
    ['a file', '{{ .Files.Get "run.sh" | sha256sum }}', ['the file run.sh']],
    ['no text in quotes', '{{ printf "%s .Values.no" .Values.yes }}', ['.Values.yes']],
    ['no comment', '{{/* .Values.no */}}', []],
    ['inputs of a ResourceSet', '<< inputs.tag | sha256sum >>', ['inputs.tag']],
    ['all inputs', '<< toYaml inputs >>', ['inputs']],
    ['a field of the schema', '${schema.spec.image}', ['schema.spec.image']],
    ['a field with a bracket', '${schema.spec["image"]}', ['schema.spec.image']],
    [
      'an argument of CEL',
      '${"%x".format([hash.fnv64a(schema.spec.image)])}',
      ['schema.spec.image'],
    ],
    ['the whole schema', '${json.marshal(schema.spec)}', ['schema.spec']],
    ['no method of CEL', '${schema.spec.image.split(":")[1]}', ['schema.spec.image']],
    ['a variable with a default', '${IMAGE_TAG:=latest}', ['IMAGE_TAG']],
  ])('%s', (_, text, inputs) => {
    expect(one(text).inputs).toEqual(inputs)
  })

  it('leaves out what never changes: release name, chart name, capabilities', () => {
    const text = '{{ .Release.Name }}{{ .Chart.Name }}{{ .Capabilities.KubeVersion }}'
    expect(expressionsIn(text, NONE, MARKS).flatMap(({ inputs }) => inputs)).toEqual([])
  })
})

describe('whether the text of an action says all', () => {
  it.each([
    ['a value', '{{ .Values.a | trunc 8 }}', true],
    ['the name helper of the chart', '{{ include "shop.fullname" . }}', true],
    ['another helper', '{{ include "shop.hash" . }}', false],
    [
      'a rendered file',
      '{{ include (print $.Template.BasePath "/cm.yaml") . | sha256sum }}',
      false,
    ],
    ['text from values as template', '{{ tpl .Values.name . }}', false],
    ['the cluster', '{{ (lookup "v1" "Secret" "a" "b").data }}', false],
    ['a field of a loop', '{{ .image }}', false],
    ['a loop variable', '{{ $job.image }}', false],
    ['everything', '{{ toYaml . | sha256sum }}', false],
    ['another object in CEL', '${config.data.version}', false],
  ])('%s', (_, text, whole) => {
    expect(one(text).whole).toBe(whole)
  })
})

describe('variables of the file', () => {
  it('are followed to what they were given', () => {
    const file = '{{- $hash := toYaml .Values.job | sha256sum }}\n{{ $short := $hash | trunc 8 }}'
    const { inputs, calls, whole } = one('{{ $short }}', file)
    expect(inputs).toEqual(['.Values.job'])
    expect([...calls]).toContain('sha256sum')
    expect(whole).toBe(true)
  })

  it('count with each value they may have', () => {
    const file = '{{ $tag := .Values.tag }}{{ if .Values.x }}{{ $tag = .Values.other }}{{ end }}'
    expect(one('{{ $tag }}', file).inputs).toEqual(['.Values.tag', '.Values.other'])
  })

  it('that feed themselves end', () => {
    expect(one('{{ $a }}', '{{ $a := $b }}{{ $b := $a }}').inputs).toEqual([])
  })
})

it('a parent covers its children, and nothing that only begins alike', () => {
  expect(covers(['.Values.image'], '.Values.image.tag')).toBe(true)
  expect(covers(['.Values.image'], '.Values.images')).toBe(false)
  expect(covers(['.Values.image.tag'], '.Values.image')).toBe(false)
})

it('only the given marks begin an action', () => {
  const script = 'cat <<EOF\n{{ .Values.a }}\nEOF\ndate >> log'
  expect(expressionsIn(script, NONE, ['{{']).map(({ text }) => text)).toEqual(['{{ .Values.a }}'])
})

it('any text is read without an error', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('{{}}', '<<>>', '${}'), (body, ends) => {
      const text = ends.length === 3 ? `\${${body}}` : `${ends.slice(0, 2)}${body}${ends.slice(2)}`
      expect(expressionsIn(text, variablesOf(text, MARKS), MARKS).length).toBeLessThanOrEqual(
        text.length,
      )
    }),
  )
})
