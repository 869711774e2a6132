import { describe, expect, test } from 'vitest'
import type { JsonObject, Path } from '../../core/json.ts'
import { playable } from './playable.ts'

const CLOSED = (): boolean => false

function job(
  spec: JsonObject = {},
  metadata: JsonObject = {},
  container: JsonObject = {},
): JsonObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'a', namespace: 'shop', ...metadata },
    spec: {
      ...spec,
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'x', ...container }] },
      },
    },
  }
}

describe('what decides about running makes it unknown', () => {
  test.each<[string, JsonObject, string]>([
    ['its name', job({}, { name: '{{ .x }}' }), 'metadata.name is {{ .x }}'],
    ['its namespace', job({}, { namespace: '${NS}' }), 'metadata.namespace is ${NS}'],
    [
      'its TTL',
      job({ ttlSecondsAfterFinished: '{{ .ttl }}' }),
      'spec.ttlSecondsAfterFinished is {{ .ttl }}',
    ],
    ['its suspension', job({ suspend: '<< inputs.off >>' }), 'spec.suspend is << inputs.off >>'],
    [
      'a hook annotation',
      job({}, { annotations: { 'helm.sh/hook': '{{ .x }}' } }),
      'annotations.helm.sh/hook is {{ .x }}',
    ],
    [
      'a mark of Flux in a label',
      job({}, { labels: { 'kustomize.toolkit.fluxcd.io/force': '${F}' } }),
      'labels.kustomize.toolkit.fluxcd.io/force is ${F}',
    ],
    [
      'the key of an annotation',
      job({}, { annotations: { '{{ .key }}': 'x' } }),
      'a key of its annotations is {{ .key }}',
    ],
  ])('%s', (_, object, expected) => {
    expect(playable(object, CLOSED)).toEqual({
      unknown: `${expected}, which only rendering can tell`,
    })
  })

  test('the schedule of a CronJob', () => {
    const cron = { kind: 'CronJob', metadata: { name: 'a' }, spec: { schedule: '${AT}' } }
    expect(playable(cron, CLOSED)).toEqual({
      unknown: 'spec.schedule is ${AT}, which only rendering can tell',
    })
  })

  test('no name at all', () => {
    expect(playable({ kind: 'Job', metadata: {} }, CLOSED)).toEqual({
      unknown: 'it has no name, and no API server takes it',
    })
  })

  test.each<[readonly string[], string]>([
    [['metadata', 'annotations'], 'annotations'],
    [['metadata'], 'annotations'],
    [['spec'], 'fields to its spec'],
  ])('what rendering may add at %s', (open, expected) => {
    const isOpen = (path: Path): boolean => path.join('.') === open.join('.')
    expect(playable(job(), isOpen)).toMatchObject({ unknown: expect.stringContaining(expected) })
  })
})

describe('what does not decide', () => {
  test('is left out where it is a field, so that its default holds', () => {
    const object = job({ backoffLimit: '{{ .limit }}', parallelism: 2 })
    expect(playable(object, CLOSED)).toEqual({
      object: job({ parallelism: 2 }),
      leftOut: ['spec.backoffLimit'],
    })
  })

  test('has a placeholder in labels and annotations', () => {
    const metadata = {
      labels: { team: 'a-{{ .x }}' },
      annotations: { note: '{{ .x }}', mine: 'y' },
    }
    expect(playable(job({}, metadata), CLOSED)).toMatchObject({
      object: {
        metadata: { labels: { team: 'a-unknown' }, annotations: { note: 'unknown', mine: 'y' } },
      },
    })
  })

  test('keeps containers by name and image, and follows the content', () => {
    const at = (arg: string) => {
      const made = playable(
        job({}, {}, { args: [arg], env: [{ name: 'A', value: '${A}' }] }),
        CLOSED,
      )
      if (!('object' in made)) throw new Error(made.unknown)
      return made.object
    }
    expect(at('one')).toMatchObject({
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [
              { name: 'a', image: 'x', args: [expect.stringMatching(/^content [0-9a-f]{8}$/)] },
            ],
          },
        },
      },
    })
    expect(at('one')).toEqual(at('one'))
    expect(at('one')).not.toEqual(at('two'))
  })

  test('may be rendered below the pod template', () => {
    const isOpen = (path: Path): boolean => path.join('.').startsWith('spec.template')
    expect(playable(job(), isOpen)).toMatchObject({ leftOut: [] })
  })

  test('is nothing in an object without unknown text', () => {
    expect(playable(job(), CLOSED)).toEqual({ object: job(), leftOut: [] })
  })

  test('is a generateName beside a name', () => {
    expect(playable(job({}, { generateName: 'b-' }), CLOSED)).toEqual({
      object: job(),
      leftOut: [],
    })
  })
})
