import { expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import { coverageOf } from './coverage.ts'

const pod: JsonObject = {
  serviceAccountName: 'migrator',
  containers: [
    {
      image: `app@sha256:${'a'.repeat(64)}`,
      envFrom: [{ configMapRef: { name: 'settings' } }, { secretRef: { name: 'db' } }],
      env: [
        { name: 'A', valueFrom: { configMapKeyRef: { name: 'generated-4k29fmd7c8', key: 'a' } } },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
        { name: 'C', value: 'c' },
      ],
    },
    { image: 'app:1.2' },
    { image: 'app:1.2' },
  ],
  volumes: [
    { name: 'a', hostPath: { path: '/data' } },
    { name: 'b', persistentVolumeClaim: { claimName: 'backup' } },
    { name: 'c', emptyDir: {} },
    {
      name: 'd',
      projected: {
        sources: [{ serviceAccountToken: { path: 'token' } }, { secret: { name: 'tls' } }],
      },
    },
    { name: 'e', image: { reference: 'files:1' } },
    { name: 'f', csi: { driver: 'secrets-store.csi.k8s.io' } },
  ],
}
const job: JsonObject = {
  kind: 'Job',
  spec: { ttlSecondsAfterFinished: 60, parallelism: 2, template: { spec: pod } },
}

it('says of each input whether its content, only its name or nothing of it is in the name', () => {
  const found = coverageOf(job, { settings: 'a'.repeat(64) })
  expect(Object.fromEntries(found.map(({ input, covered }) => [input, covered]))).toEqual({
    [`image app@sha256:${'a'.repeat(64)}`]: 'content',
    'image app:1.2': 'name',
    'image files:1': 'name',
    'ConfigMap/settings': 'content',
    'Secret/db': 'name',
    'ConfigMap/generated-4k29fmd7c8': 'content',
    'Secret/tls': 'name',
    'hostPath /data': 'name',
    'volume claim backup': 'name',
    'service account token': 'none',
    'CSI volume secrets-store.csi.k8s.io': 'name',
    'variable from spec.nodeName': 'none',
    'ServiceAccount/migrator': 'name',
    'spec.ttlSecondsAfterFinished': 'none',
  })
})

it('says what would make the name follow it', () => {
  const found = coverageOf(job)
  const remedies = found
    .filter(({ remedy }) => remedy !== undefined)
    .map(({ input, remedy }) => [input, remedy])
  expect(remedies).toContainEqual(['Secret/db', 'set the annotation semel.dev/follow: Secret/db'])
  expect(remedies).toContainEqual(['image app:1.2', 'name the image by its digest (@sha256:...)'])
  expect(
    found.filter(({ covered, remedy }) => covered === 'content' && remedy !== undefined),
  ).toEqual([])
})

it('looks into the job template of a CronJob', () => {
  const cron = {
    kind: 'CronJob',
    spec: { jobTemplate: { spec: { suspend: true, template: { spec: pod } } } },
  }
  const inputs = coverageOf(cron).map(({ input }) => input)
  expect(inputs).toContain('Secret/db')
  expect(inputs).toContain('spec.jobTemplate.spec.suspend')
})

it('finds nothing where nothing is', () => {
  expect(coverageOf({ kind: 'Job' })).toEqual([])
})
