import { describe, expect, it } from 'vitest'
import { manifestsOf } from '../core/manifest.ts'
import { readFile } from '../core/yaml/read-file.ts'
import { beyond, guardsOf, isRebound } from './guards.ts'

function manifestIn(text: string, template?: 'helm') {
  const reading = readFile(
    { path: 'chart/templates/all.yaml', bytes: new TextEncoder().encode(text) },
    {
      wanted: { all: true, needles: [] },
      fullParser: undefined,
      ...(template === undefined ? {} : { template }),
    },
  )
  const [manifest] = manifestsOf(reading)
  if (manifest === undefined) throw new Error('no object in the text')
  return manifest
}

const ACCOUNT = `{{- if .Values.account.create }}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .Release.Name }}
  {{- if .Values.asHook }}
  annotations:
    helm.sh/hook: pre-install
  {{- else }}
  labels:
    app: shop
  {{- end }}
{{- end }}
`

describe('guardsOf', () => {
  it('gives the conditions around an object, and those around a field beyond them', () => {
    const manifest = manifestIn(ACCOUNT, 'helm')
    const own = guardsOf(manifest, ['metadata', 'name'])
    const hook = guardsOf(manifest, ['metadata', 'annotations', 'helm.sh/hook'])
    expect(own.map(({ text }) => text)).toEqual(['if .Values.account.create'])
    expect(beyond(hook, own).map(({ text }) => text)).toEqual(['if .Values.asHook'])
  })

  it('tells the branches of a condition apart', () => {
    const guards = guardsOf(manifestIn(ACCOUNT, 'helm'), ['metadata', 'labels', 'app'])
    expect(guards.map(({ text }) => text)).toEqual([
      'if .Values.account.create',
      'if .Values.asHook else',
    ])
  })

  it('knows loops, in which one text stands for several values', () => {
    const text = `{{- range .Values.jobs }}
---
apiVersion: batch/v1
kind: Job
metadata: {name: "{{ .name }}"}
{{- end }}
`
    expect(isRebound(guardsOf(manifestIn(text, 'helm'), ['metadata', 'name']))).toBe(true)
  })

  it('is silent outside of templates', () => {
    const text = 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\n'
    expect(guardsOf(manifestIn(text), ['metadata', 'name'])).toEqual([])
  })
})
