import { describe, expect, it } from 'vitest'
import { commandOf, nameKey, referencesOf } from './references.ts'

describe('referencesOf', () => {
  it('finds what a pod needs, each with its path', () => {
    const podSpec = {
      serviceAccountName: 'account',
      imagePullSecrets: [{ name: 'pull' }],
      initContainers: [{ name: 'a', envFrom: [{ secretRef: { name: 'env' } }] }],
      containers: [
        {
          name: 'b',
          env: [
            { name: 'A', valueFrom: { configMapKeyRef: { name: 'keys', key: 'a' } } },
            { name: 'B', value: 'plain' },
          ],
        },
      ],
      volumes: [
        { name: 'c', configMap: { name: 'files' } },
        { name: 's', secret: { secretName: 'certs' } },
        { name: 'p', persistentVolumeClaim: { claimName: 'data' } },
        { name: 'j', projected: { sources: [{ secret: { name: 'token' } }] } },
        { name: 'e', emptyDir: {} },
      ],
    }
    const found = referencesOf(podSpec, ['spec'])
    expect(found.map(({ kind, name, path }) => [kind, name, path.join('.')])).toEqual([
      ['Secret', 'env', 'spec.initContainers.0.envFrom.0.secretRef.name'],
      ['ConfigMap', 'keys', 'spec.containers.0.env.0.valueFrom.configMapKeyRef.name'],
      ['ConfigMap', 'files', 'spec.volumes.0.configMap.name'],
      ['Secret', 'certs', 'spec.volumes.1.secret.secretName'],
      ['PersistentVolumeClaim', 'data', 'spec.volumes.2.persistentVolumeClaim.claimName'],
      ['Secret', 'token', 'spec.volumes.3.projected.sources.0.secret.name'],
      ['ServiceAccount', 'account', 'spec.serviceAccountName'],
      ['Secret', 'pull', 'spec.imagePullSecrets.0.name'],
    ])
  })

  it.each([[true], ['{{ .Values.optional }}']])('leaves out what is optional: %j', (optional) => {
    const volumes = [{ name: 'c', configMap: { name: 'files', optional } }]
    expect(referencesOf({ volumes }, [])).toEqual([])
    expect(referencesOf({ volumes }, [], { optional: true })).toHaveLength(1)
  })

  it.each([[undefined], [null], [[]], ['text'], [{ containers: 'x', volumes: [null] }]])(
    'finds nothing in %j',
    (podSpec) => {
      expect(referencesOf(podSpec, [])).toEqual([])
    },
  )
})

describe('nameKey', () => {
  it.each([
    ['shop', 'shop'],
    ['{{ .Release.Name }}', '{{.Release.Name}}-x'.slice(0, -2)],
    ['{{- include "shop.name" . -}}', '{{ include "shop.name" $ }}'],
    ['{{ $.Values.name | quote }}', '{{ .Values.name }}'],
  ])('takes %j and %j for one name', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other))
  })

  it.each([
    ['{{ .Values.a }}', '{{ .Values.b }}'],
    ['{{ include "a" . }}', '{{ include "b" . }}'],
    ['{{ .Release.Name }}', 'shop'],
    ['{{ $name }}', '{{ .name }}'],
  ])('keeps %j and %j apart', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other))
  })
})

describe('commandOf', () => {
  it('gives command and arguments in a row', () => {
    expect(commandOf({ command: ['sh', '-c'], args: ['run', 1] })).toEqual(['sh', '-c', 'run'])
    expect(commandOf(null)).toEqual([])
  })
})
