import { describe, expect, it } from 'vitest'
import type { TypeRef } from './contract.ts'
import { typeOf } from './index.ts'

function field(name: string, ...path: readonly string[]): TypeRef | undefined {
  let type = typeOf(name)
  for (const step of path) type = (type?.kind === 'list' ? type.items : type)?.fields?.get(step)
  return type
}

describe('the schema table', () => {
  const POD = ['spec', 'template', 'spec']
  it.each([
    ['batch.v1.Job', [...POD, 'containers'], { listType: 'map', mapKeys: ['name'] }],
    ['batch.v1.Job', [...POD, 'tolerations'], { listType: 'atomic' }],
    ['batch.v1.Job', [...POD, 'volumes'], { patchStrategy: 'merge,retainKeys' }],
    ['batch.v1.Job', [...POD, 'nodeSelector'], { kind: 'map', mapType: 'atomic' }],
    ['batch.v1.Job', ['metadata', 'finalizers'], { listType: 'set', patchStrategy: 'merge' }],
    ['batch.v1.Job', ['metadata', 'ownerReferences'], { mapKeys: ['uid'] }],
    ['batch.v1.Job', ['spec', 'parallelism'], { int32: true, pointer: true, omitEmpty: true }],
    ['batch.v1.Job', ['spec', 'activeDeadlineSeconds'], { goType: 'int64' }],
    ['batch.v1.Job', ['status', 'conditions'], { listType: 'atomic', patchMergeKey: 'type' }],
    ['core.v1.Service', ['spec', 'ports', 'protocol'], { default: 'TCP' }],
    ['core.v1.Secret', ['data'], { kind: 'map', goType: 'map[string][]uint8' }],
    ['coordination.v1.Lease', ['spec', 'renewTime'], { kind: 'time', micro: true }],
    ['apps.v1.Deployment', ['spec', 'strategy'], { patchStrategy: 'retainKeys' }],
    ['core.v1.Volume', ['secret'], { inlined: 'VolumeSource.', pointer: true }],
    ['core.v1.Container', ['env', 'valueFrom', 'fieldRef'], { mapType: 'atomic' }],
  ] as const)('knows %s %j', (name, path, expected) => {
    expect(field(`io.k8s.api.${name}`, ...path)).toMatchObject(expected)
  })

  it('knows the types of every group of the model', () => {
    for (const name of [
      'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
      'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
      'io.k8s.api.policy.v1.Eviction',
      'io.k8s.api.autoscaling.v1.Scale',
      'io.k8s.api.core.v1.Binding',
      'io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicyBinding',
    ]) {
      expect(typeOf(name)?.fields?.size ?? 0, name).toBeGreaterThan(0)
    }
  })

  it('gives the same object for the same name, and nothing for a name it does not know', () => {
    expect(typeOf('io.k8s.api.core.v1.Pod')).toBe(typeOf('io.k8s.api.core.v1.Pod'))
    expect(typeOf('io.k8s.api.core.v1.Nothing')).toBeUndefined()
  })
})
