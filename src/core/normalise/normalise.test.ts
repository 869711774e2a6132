import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryJob, respell } from '../../../test/core/arbitrary-jobs.ts'
import { fingerprint, fixedDigest } from '../fingerprint.ts'
import { isList, isObject, objectAt, type Json, type JsonObject, type Path } from '../json.ts'
import { INTENT_LEAVES_OUT } from '../policies/intent.ts'
import { normaliseSpec } from './normalise.ts'

const specOf = (job: JsonObject): JsonObject => objectAt(job, ['spec']) ?? {}
const RUNS = { numRuns: 500 }

describe('normaliseSpec, for any Job', () => {
  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(arbitraryJob(), fc.constantFrom('runs', 'server'), (job, equality) => {
        const once = normaliseSpec('Job', specOf(job), equality)
        expect(normaliseSpec('Job', once, equality)).toEqual(once)
      }),
      RUNS,
    )
  })

  it('is deaf to key order, written defaults, the spelling of quantities and the order of sets', () => {
    fc.assert(
      fc.property(arbitraryJob(), fc.infiniteStream(fc.nat()), (job, numbers) => {
        const other = respell(job, (options) => Number(numbers.next().value) % options)
        expect(normaliseSpec('Job', specOf(other))).toEqual(normaliseSpec('Job', specOf(job)))
        expect(fingerprint(other).digest).toBe(fingerprint(job).digest)
      }),
      RUNS,
    )
  })

  it('gives another fingerprint, and other field digests, when any covered leaf changes', () => {
    fc.assert(
      fc.property(arbitraryJob(), fc.nat(), (job, number) => {
        const before = fingerprint(job)
        const covered = JSON.parse(before.canonical) as { readonly spec: JsonObject }
        const leaves = leavesOf(covered.spec, [])
        fc.pre(leaves.length > 0)
        const leaf = leaves[number % leaves.length] ?? []
        const changed = fingerprint({ ...job, spec: withLeaf(covered.spec, leaf) })
        expect(changed.digest).not.toBe(before.digest)
        expect(changed.fields).not.toEqual(before.fields)
      }),
      RUNS,
    )
  })

  it('is deaf to every field that the intent leaves out', () => {
    const values = fc.constantFrom<Json>(0, 1, 3, true, 'Failed', 'x.test/y')
    fc.assert(
      fc.property(
        arbitraryJob(),
        fc.constantFrom(...INTENT_LEAVES_OUT),
        values,
        (job, out, value) => {
          const completions = specOf(job)['completions'] ?? 1
          const withField = (more: JsonObject): string =>
            fingerprint({ ...job, spec: { ...specOf(job), completions, ...more } }).digest
          expect(withField({ [out.field]: value })).toBe(withField({ [out.field]: undefined }))
        },
      ),
      RUNS,
    )
  })

  it('has equal field digests exactly when the fingerprints are equal', () => {
    fc.assert(
      fc.property(arbitraryJob(), arbitraryJob(), (one, other) => {
        const [left, right] = [fingerprint(one), fingerprint(other)]
        expect(JSON.stringify(left.fields) === JSON.stringify(right.fields)).toBe(
          left.digest === right.digest,
        )
      }),
      RUNS,
    )
  })

  it('calls the same whatever the server calls the same', () => {
    fc.assert(
      fc.property(arbitraryJob(), fc.infiniteStream(fc.nat()), (job, numbers) => {
        const other = respell(job, (options) => Number(numbers.next().value) % options)
        const server = (object: JsonObject): JsonObject =>
          normaliseSpec('Job', specOf(object), 'server')
        expect(normaliseSpec('Job', server(other))).toEqual(normaliseSpec('Job', server(job)))
        expect(fixedDigest({ ...job, spec: server(job) })).toBe(fixedDigest(job))
      }),
      RUNS,
    )
  })
})

describe('normaliseSpec', () => {
  it('leaves an unknown field and a value of a foreign type as they are', () => {
    const spec: JsonObject = {
      laterField: { a: [], b: null },
      template: { spec: { tolerations: '{{ toYaml . }}', containers: 7, volumes: [null, 'x'] } },
    }
    expect(normaliseSpec('Job', spec)).toEqual({
      laterField: { a: [], b: null },
      template: { spec: { tolerations: '{{ toYaml . }}', containers: 7, volumes: ['x', null] } },
    })
  })

  it('does not read a list with a name as a field of every object', () => {
    const odd = JSON.parse(
      '{"template":{"spec":{"__proto__":{"a":1},"constructor":2}}}',
    ) as JsonObject
    expect(JSON.stringify(normaliseSpec('Job', odd))).toBe(JSON.stringify(odd))
  })

  it('keeps two entries of one key in their order', () => {
    const mounts = [
      { mountPath: '/b', name: 'x' },
      { mountPath: '/a', name: 'z' },
      { mountPath: '/a', name: 'y' },
    ]
    const spec = { template: { spec: { containers: [{ name: 'c', volumeMounts: mounts }] } } }
    expect(normaliseSpec('Job', spec)).toEqual({
      template: {
        spec: { containers: [{ name: 'c', volumeMounts: [mounts[1], mounts[2], mounts[0]] }] },
      },
    })
  })

  it('leaves order and idle values to the server, which keeps them apart', () => {
    const spec = {
      completions: 1,
      template: {
        spec: {
          enableServiceLinks: true,
          dnsPolicy: 'ClusterFirst',
          volumes: [{ name: 'b' }, { name: 'a' }],
        },
      },
    }
    expect(normaliseSpec('Job', spec, 'server')).toEqual({
      template: {
        spec: {
          enableServiceLinks: true,
          volumes: [
            { name: 'b', emptyDir: {} },
            { name: 'a', emptyDir: {} },
          ],
        },
      },
    })
  })

  it.each([
    ['a', 'Always'],
    ['a:latest', 'Always'],
    ['a:latest@sha256:'.padEnd(80, '1'), 'Always'],
    ['host:5000/a', 'Always'],
    ['host:5000/a/b', 'Always'],
    ['a:1', 'IfNotPresent'],
    ['host:5000/a:1', 'IfNotPresent'],
    ['a@sha256:'.padEnd(73, '1'), 'IfNotPresent'],
    ['', 'IfNotPresent'],
    ['Case', 'IfNotPresent'],
    ['a/Case', 'IfNotPresent'],
    ['UPPER/case', 'Always'],
  ])('knows the pull policy of the image %j: %s', (image, usual) => {
    const policies = ['Always', 'IfNotPresent', 'Never'].filter((imagePullPolicy) => {
      const container = { name: 'c', image, imagePullPolicy }
      const spec = { template: { spec: { containers: [container] } } }
      return !JSON.stringify(normaliseSpec('Job', spec)).includes('imagePullPolicy')
    })
    expect(policies).toEqual([usual])
  })

  it('knows no pull policy of an image that must still be rendered', () => {
    const container = { name: 'c', image: 'a:{{ .Values.tag }}', imagePullPolicy: 'IfNotPresent' }
    const spec = { template: { spec: { containers: [container] } } }
    expect(normaliseSpec('Job', spec)).toEqual(spec)
  })

  it('drops the defaults of a CronJob', () => {
    const spec = {
      schedule: '* * * * *',
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      jobTemplate: { metadata: {}, spec: { backoffLimit: 6 } },
    }
    expect(normaliseSpec('CronJob', spec)).toEqual({ schedule: '* * * * *' })
  })
})

function leavesOf(value: Json | undefined, path: Path): readonly Path[] {
  if (isList(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]))
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]))
  }
  return [path]
}

function withLeaf(value: Json | undefined, path: Path): Json {
  const [step, ...rest] = path
  if (step === undefined) return 'changed-by-the-test'
  if (isList(value)) {
    return value.map((item, index) => (index === step ? withLeaf(item, rest) : item))
  }
  return isObject(value)
    ? { ...value, [step]: withLeaf(value[String(step)], rest) }
    : (value ?? null)
}
