import { describe, expect, it } from 'vitest'
import { job } from '../../test/engines/objects.ts'
import { hasTtl, isSameObject, markOf, switchAt, withCommonMetadata } from './metadata.ts'

const KEY = 'kustomize.toolkit.fluxcd.io/force'

describe('marks in the manner of Flux (F-12)', () => {
  it.each([
    [job({ [KEY]: 'enabled' }), 'on'],
    [job({ [KEY]: 'Enabled' }), 'on'],
    [job({}, {}, { [KEY]: 'ENABLED' }), 'on'],
    [job({ [KEY]: 'true' }), 'off'],
    [job({ [KEY]: true }), 'off'],
    [job({ [KEY]: '' }), 'off'],
    [job(), 'off'],
    [job({ [KEY]: '${FORCE}' }), 'unknown'],
    [job({ [KEY]: '${FORCE}' }, {}, { [KEY]: 'enabled' }), 'on'],
  ])('%# are read from annotations and labels in any case', (object, found) => {
    expect(markOf(object, KEY, 'enabled')).toBe(found)
  })
})

describe('switches of a carrier', () => {
  it.each([
    [{ spec: { force: true } }, 'on'],
    [{ spec: { force: false } }, 'off'],
    [{ spec: { force: null } }, 'off'],
    [{ spec: {} }, 'off'],
    [{ spec: { force: '${force}' } }, 'unknown'],
    [{ spec: { force: 'true' } }, 'unknown'],
    [undefined, 'unknown'],
  ])('%j is read as %s', (carrier, found) => {
    expect(switchAt(carrier, ['spec', 'force'])).toBe(found)
  })
})

it('lets commonMetadata win over the object, key by key', () => {
  const carrier = { spec: { commonMetadata: { annotations: { a: '1' }, labels: { b: '2' } } } }
  const object = withCommonMetadata(job({ a: '0', c: '3' }), carrier)
  expect(object['metadata']).toMatchObject({
    name: 'migrate',
    annotations: { a: '1', c: '3' },
    labels: { b: '2' },
  })
})

it('leaves the object alone without commonMetadata', () => {
  const object = job()
  expect(withCommonMetadata(object, { spec: {} })).toBe(object)
})

it('counts a TTL that only rendering knows as written', () => {
  const ttls = [0, 5, '{{ .Values.ttl }}', null, undefined]
  const found = ttls.map((ttl) => hasTtl(job({}, { ttlSecondsAfterFinished: ttl })))
  expect(found).toEqual([true, true, true, false, false])
})

it.each([
  [{ kind: 'Job', metadata: { name: 'migrate', namespace: 'shop' } }, true],
  [{ kind: 'Job', metadata: { name: 'migrate' } }, true],
  [{ kind: 'Job', metadata: { name: 'migrate', namespace: 'other' } }, false],
  [{ kind: 'CronJob', metadata: { name: 'migrate' } }, false],
  [{ kind: 'Job', metadata: {} }, false],
])('%j is the Job shop/migrate: %s', (other, same) => {
  expect(isSameObject(other, job())).toBe(same)
})
