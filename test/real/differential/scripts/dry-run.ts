import * as k from '../script.ts'
import { apply, changed, create, get, list, merge, update, type Script } from '../script.ts'
import { configMap, job } from './objects.ts'

const { JOBS, CONFIGMAPS } = k
const DRY = { options: { dryRun: true } }

/** All but the store. */
export const dryRunScripts: readonly Script[] = [
  {
    title: 'a create in a dry run answers as if, and keeps nothing',
    steps: [create(JOBS, job('a'), DRY), get(JOBS, 'a', { code: 404 }), create(JOBS, job('a'))],
  },
  {
    title: 'a create in a dry run is judged in full',
    steps: [
      create(JOBS, job('A'), { ...DRY, code: 422 }),
      create(JOBS, job('a', { parallelism: -1 }), { ...DRY, code: 422 }),
      create(JOBS, job('a'), { ...DRY, namespace: 'nowhere', code: 404 }),
    ],
  },
  {
    title: 'updates and patches in a dry run answer as if, with the version as it is',
    steps: [
      create(CONFIGMAPS, configMap('a')),
      update(CONFIGMAPS, 'a', changed('configmaps/a', { data: { b: '2' } }), DRY),
      merge(CONFIGMAPS, 'a', { data: { b: '2' } }, DRY),
      apply(CONFIGMAPS, configMap('a', { c: '3' }), 'one', DRY),
      apply(CONFIGMAPS, configMap('b'), 'one', { ...DRY, code: 201 }),
      get(CONFIGMAPS, 'a'),
      list(CONFIGMAPS),
    ],
  },
  {
    title: 'a dry run of what never changes is refused as well',
    steps: [
      create(JOBS, job('a')),
      merge(JOBS, 'a', { spec: { completions: 5 } }, { ...DRY, code: 422 }),
      merge(JOBS, 'a', { spec: { parallelism: 5 } }, DRY),
      merge(JOBS, 'a', { status: { active: 2 } }, { ...DRY, subresource: 'status' }),
    ],
  },
]
