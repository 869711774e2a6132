import { describe, expect, it } from 'vitest'
import { TemplateSet } from './exec.ts'
import { builtins } from './functions.ts'
import { sprig } from './sprig.ts'
import type { Value } from './value.ts'

function run(text: string, data: Value = {}): string {
  const set = new TemplateSet({ ...builtins, ...sprig })
  set.add('t', text)
  return set.run('t', data)
}

const ROWS: [text: string, expected: string, data?: Value][] = [
  ['{{ .a.b }}', '1', { a: { b: '1' } }],
  ['a {{- " b " -}} c', 'a b c'],
  ['{{ if eq .v "2" }}1{{ else }}0{{ end }}', '1', { v: '2' }],
  ['{{ if eq .v `1` }}a{{ else if eq .v `2` }}b{{ else }}c{{ end }}', 'b', { v: '2' }],
  ['{{ range $i, $x := .l }}{{ $i }}={{ $x }},{{ end }}', '0=a,1=b,', { l: ['a', 'b'] }],
  ['{{ range .m }}{{ . }}{{ else }}none{{ end }}', 'none', { m: {} }],
  ['{{ range $k, $v := .m }}{{ $k }}{{ $v }} {{ end }}', 'a1 b2 ', { m: { b: '2', a: '1' } }],
  ['{{ range until 5 }}{{ if eq . 3 }}{{ break }}{{ end }}{{ . }}{{ end }}', '012'],
  ['{{ with .x }}{{ . }}{{ else }}no{{ end }}', 'no'],
  ['{{ dict.a }}{{ (dict "a" 1).a }}', '1'],
  ['{{ $a := 1 }}{{ if true }}{{ $a = 2 }}{{ end }}{{ $a }}', '2'],
  [
    '{{ define "x" }}<{{ . }}>{{ end }}{{ template "x" "y" }}{{ include "x" "z" | upper }}',
    '<y><Z>',
  ],
  ['{{ .n }} {{ .big }}', '5 1.2345678e+07', { n: 5, big: 12_345_678 }],
  ['{{ printf "%s-%d-%v-%q" "a" 3 true "b" }}', 'a-3-true-"b"'],
  ['{{ .missing }}{{ .l }}', '[a <nil>]', { l: ['a', null] }],
  ['{{ and 1 0 }}{{ or "" "x" }}{{ not true }}', '0xfalse'],
  ['{{ list 1 2 | join "," }} {{ dict "a" 1 | toJson }}', '1,2 {"a":1}'],
  ['{{ default "d" .x }}{{ ternary "y" "n" true }}{{ coalesce nil "" "c" }}', 'dyc'],
  ['{{ "a.b" | replace "." "-" | quote }}', '"a-b"'],
  ['{{/* nothing */}}x', 'x'],
  ['{{ (dict "a" (dict "b" 7)).a.b }}', '7'],
  ['{{ tpl "{{ .a }}!" . }}', 'z!', { a: 'z' }],
  ['{{ "x\\ny" | indent 2 }}', '  x\n  y'],
  ['{{ len "héllo" }} {{ index .l 1 }}', '6 b', { l: ['a', 'b'] }],
]

describe('templates as Go runs them', () => {
  it.each(ROWS)('%s', (text, expected, data) => {
    expect(run(text, data)).toBe(expected)
  })

  it('shortens a digest as charts do', () => {
    expect(run('{{ "a" | sha256sum | trunc 6 }}')).toBe('ca9781')
  })

  it.each([
    ['{{ .a.b.c }}', 'nil pointer evaluating interface {}.c', { a: {} }],
    ['{{ nope }}', 'function "nope" not defined', {}],
    ['{{ if }}', 'missing value for command', {}],
    ['{{ if true }}', 'unexpected EOF', {}],
    ['{{ eq 1 1.5 }}', 'incompatible types for comparison', {}],
    ['{{ .a', 'unclosed action', {}],
    ['{{ required "set image" .x }}', 'error calling required: set image', {}],
    ['{{ fail "no" }}', 'error calling fail: no', {}],
  ])('%s is refused: %s', (text, why, data) => {
    expect(() => run(text, data)).toThrow(why)
  })

  it('ends templates that never end', () => {
    expect(() => run('{{ define "x" }}{{ template "x" . }}{{ end }}{{ template "x" . }}')).toThrow(
      'more than 200 deep',
    )
    expect(() => run('{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}')).toThrow(
      'steps',
    )
    expect(() => run('{{ repeat 10000000 "x" }}')).toThrow('more than 1 MiB')
  })

  it('keeps odd keys as plain data', () => {
    expect(run('{{ set (dict) "__proto__" 1 | toJson }}')).toBe('{"__proto__":1}')
  })
})
