import {
  at,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../core/json.ts'
import type { Engine, Setting, Traits, Waiter } from './engine.ts'
import { annotationOf, isCronJob, isSameObject } from './metadata.ts'
import { leftAlone, templateChangeOf } from './traits.ts'

/**
 * kro 0.9: applies every object of the graph at each event of a child, so an absent Job is back
 * within a tenth of a second (X-6, trace kro/003). It has no switch against that. Whatever
 * is refused is refused every 3 s, and meanwhile nothing is pruned.
 */
export const kro: Engine = {
  id: 'kro',
  title: 'kro',
  carrierKinds: ['kro.run ResourceGraphDefinition'],
  settings,
  traits,
}

function traits(carrier: JsonObject | undefined, object: JsonObject): Traits {
  if (carrier !== undefined && annotationOf(carrier, 'kro.run/reconcile') === 'suspended') {
    return leftAlone('the instance is suspended (kro.run/reconcile)', 'X-4', 'refused')
  }
  const waiter = waiterOf(carrier, object)
  return {
    applies: true,
    restoresAbsent: { when: 'watch', delaySeconds: 0, rule: 'X-1, X-6' },
    templateChange: templateChangeOf(object, 'refused'),
    updatesBy: 'apply',
    ...(waiter === undefined ? {} : { waiter }),
    removesUndeclared: true,
    // It deletes without a propagation policy, which orphans (X-8, traces 001, 011).
    orphansPods: true,
    whileHeld: 'nothing of the instance is applied until the finalizer is gone',
    // Server-side apply knows no generateName (trace kubernetes/092).
    generateName: 'refused',
    assumed: false,
  }
}

/**
 * `readyWhen` holds back what depends on the Job and keeps the instance IN_PROGRESS, without a
 * timeout and without an error when the Job fails (X-5, trace kro/014). A Job that its TTL deletes
 * first is made again and again, so the wait mostly finds none (trace kro/019).
 */
function waiterOf(carrier: JsonObject | undefined, object: JsonObject): Waiter | undefined {
  if (isCronJob(object)) return undefined
  const node = nodesOf(carrier).find((item) => {
    const template = objectAt(item, ['template'])
    return template !== undefined && isSameObject(template, object)
  })
  if (listAt(node, ['readyWhen']).length === 0) return undefined
  return {
    who: 'the instance and what depends on the Job (readyWhen)',
    timeoutSeconds: undefined,
    pollSeconds: undefined,
    suspended: 'waits',
    absent: 'hangs',
    afterFailure: 'stays-failed',
    rule: 'X-5',
  }
}

function nodesOf(carrier: JsonObject | undefined): readonly Json[] {
  return listAt(carrier, ['spec', 'resources'])
}

/** Per node of the graph: what gates it, and what it gates. */
function settings(carrier: JsonObject | undefined): readonly Setting[] {
  return nodesOf(carrier).flatMap((node, index) => {
    if (!isObject(node)) return []
    const id = stringAt(node, ['id']) ?? String(index)
    return ['includeWhen', 'readyWhen', 'forEach'].flatMap((name) => {
      const value = at(node, [name])
      if (value === undefined || value === null) return []
      const path = ['spec', 'resources', index, name]
      return [{ name: `${id}.${name}`, path, value: show(value) }]
    })
  })
}

function show(value: Json): string {
  const items = listAt(value, [])
  return items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('; ')
}
