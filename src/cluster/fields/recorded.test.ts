import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { KubeObject, ManagedFieldsEntry } from '../object.ts'
import { instantOf } from '../time.ts'
import type { Applied, TypeRef } from './contract.ts'
import { fields, typeOf } from './index.ts'
import { mergePatch } from './merge-patch.ts'

/** Answers of a real API server, written by scripts/record-fields.mjs. */
function recorded(file: string): unknown {
  const url = new URL(`../../../fixtures/cluster/fields/${file}`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8'))
}

const TYPES: { readonly [kind: string]: string } = {
  Job: 'io.k8s.api.batch.v1.Job',
  CronJob: 'io.k8s.api.batch.v1.CronJob',
  Deployment: 'io.k8s.api.apps.v1.Deployment',
  ConfigMap: 'io.k8s.api.core.v1.ConfigMap',
  Secret: 'io.k8s.api.core.v1.Secret',
  Service: 'io.k8s.api.core.v1.Service',
  Lease: 'io.k8s.api.coordination.v1.Lease',
}

function typeOfKind(kind: string): TypeRef {
  const type = typeOf(TYPES[kind] ?? '')
  if (type === undefined) throw new Error(`no type of ${kind}`)
  return type
}

interface Outcome {
  readonly code: number
  readonly message?: string
  readonly object?: JsonObject
  readonly warnings?: readonly string[]
}

/** Values of `mine` that `theirs` has otherwise; null and absence are one. */
function differing(mine: Json | undefined, theirs: Json | undefined, at = ''): string[] {
  if ((mine ?? undefined) === undefined) return []
  if (isObject(mine) && isObject(theirs)) {
    return Object.keys(mine).flatMap((key) => differing(mine[key], theirs[key], `${at}.${key}`))
  }
  if (isList(mine) && isList(theirs) && mine.length === theirs.length) {
    return mine.flatMap((item, index) => differing(item, theirs[index], `${at}[${index}]`))
  }
  return mine === theirs ? [] : [`${at}: ${JSON.stringify(mine)}, not ${JSON.stringify(theirs)}`]
}

/** What defaults put in the place of an empty value. */
const DEFAULTED =
  /\.(?:targetPort|dnsPolicy|terminationMessage\w+|imagePullPolicy|strategy|sessionAffinityConfig)(?:\.|:|$)/

/** Values of `sent` that are gone from `mine` and that the server has kept. */
function lost(
  sent: Json | undefined,
  mine: Json | undefined,
  theirs: Json | undefined,
  at = '',
): string[] {
  if ((sent ?? undefined) === undefined || (theirs ?? undefined) === undefined) return []
  if ((mine ?? undefined) === undefined) return DEFAULTED.test(at) ? [] : [at]
  if (isObject(sent) && isObject(mine) && isObject(theirs)) {
    return Object.keys(sent).flatMap((key) => {
      return lost(sent[key], mine[key], theirs[key], `${at}.${key}`)
    })
  }
  if (isList(sent) && isList(mine) && isList(theirs)) {
    return sent.flatMap((item, index) => {
      const inMine = alike(mine, item, index)
      return inMine === undefined
        ? []
        : lost(item, inMine, alike(theirs, item, index), `${at}[${index}]`)
    })
  }
  return []
}

/** The item of the same name, or in the same place. */
function alike(list: readonly Json[], item: Json, index: number): Json | undefined {
  if (!isObject(item) || item['name'] === undefined) return list[index]
  return list.find((one) => isObject(one) && one['name'] === item['name'])
}

function withoutDefaulted(problems: readonly string[]): readonly string[] {
  return problems.filter((problem) => !DEFAULTED.test(problem))
}

describe('decode reads a body as the API server does', () => {
  const rows = recorded('decode.json') as readonly ({
    name: string
    kind: string
    body: Json
  } & Outcome)[]
  it.each(rows)('$name', ({ kind, body, code, message, object, warnings }) => {
    const sent = typeof body === 'string' ? (JSON.parse(body) as Json) : body
    const decoded = fields.decode(sent, typeOfKind(kind))
    if (code === 400) {
      const text = 'message' in decoded ? decoded.message : 'decoded'
      const isUnrecognised = 'unrecognised' in decoded
      const prefix = isUnrecognised
        ? `the object provided is unrecognized (must be of type ${kind}): `
        : `${kind} in version "v1" cannot be handled as a ${kind}: `
      expect(prefix + text).toBe(message)
      return
    }
    if ('message' in decoded) throw new Error(decoded.message)
    const unknown = (warnings ?? []).filter((warning) => warning.startsWith('unknown field'))
    expect(decoded.unknown).toEqual(unknown)
    if (object === undefined) return
    expect(withoutDefaulted(differing(decoded.object, object))).toEqual([])
    expect(lost(sent, decoded.object, object)).toEqual([])
    expect(fields.decode(decoded.object, typeOfKind(kind))).toEqual({ ...decoded, unknown: [] })
  })
})

interface PatchRow extends Outcome {
  readonly kind: string
  readonly patch: string
  readonly body: Json
  /** As a merge patch on the target. */
  readonly after?: JsonObject
}

describe('patches give what the API server gives', () => {
  const lives = recorded('patch-targets.json') as { readonly [kind: string]: JsonObject }
  const rows = recorded('patch.json') as readonly PatchRow[]
  it.each(rows.map((row) => ({ ...row, shown: `${row.patch} ${JSON.stringify(row.body)}` })))(
    '$shown',
    ({ kind, patch, body, code, message, after }) => {
      const live = lives[kind] ?? {}
      const object = after === undefined ? undefined : asStored(live, after)
      const type = typeOfKind(kind)
      const result =
        patch === 'json'
          ? fields.jsonPatch(live, body)
          : patch === 'merge'
            ? fields.mergePatch(live, body)
            : fields.strategicMergePatch(live, body, type)
      const fault = 'code' in result && 'message' in result ? result : undefined
      if (object === undefined && fault === undefined) {
        expect(message).toMatch(/is invalid|undeterminable/)
        return
      }
      if (object === undefined) {
        const [error] = (fault?.['errors'] ?? []) as readonly { value: Json; detail: string }[]
        const of = error === undefined ? '' : ` "" is invalid: patch: Invalid value: `
        const text =
          error === undefined
            ? fault?.['message']
            : `${of}${JSON.stringify(error.value)}: ${error.detail}`
        expect([fault?.['code'], text]).toEqual([code, message])
        return
      }
      expect(fault).toBeUndefined()
      const decoded = fields.decode(result as JsonObject, type, live)
      if ('message' in decoded) throw new Error(decoded.message)
      expect(differing(decoded.object, object)).toEqual([])
      expect(lost(live, decoded.object, object)).toEqual([])
    },
  )
})

describe('apply refuses what the schema refuses', () => {
  const rows = recorded('schema.json') as readonly ({
    name: string
    kind: string
    config: JsonObject
  } & Outcome)[]
  it.each(rows)('$name', ({ kind, config, code, message }) => {
    const type = typeOfKind(kind)
    const applied = fields.apply({
      live: undefined,
      config,
      type,
      manager: 'a',
      force: false,
      now: 0,
    })
    if (!('fault' in applied)) throw new Error(`not refused: ${message}`)
    expect([applied.fault.code, applied.fault.message]).toEqual([code, message])
  })
})

interface Step {
  readonly door: 'apply' | 'create' | 'update' | 'merge'
  readonly manager: string
  readonly force?: boolean
  readonly subresource?: string
  readonly body?: JsonObject
  readonly change?: JsonObject
  readonly code: number
  readonly message?: string
  readonly causes?: readonly (readonly [string, string])[]
  readonly after?: JsonObject
}

interface Sequence {
  readonly kind: string
  readonly name: string
  readonly steps: readonly Step[]
}

describe('sequences of writes by several managers go as they went on the API server', () => {
  const sequences = [
    ...(recorded('sequences.json') as readonly Sequence[]),
    ...(recorded('random.json') as readonly Sequence[]),
  ]
  it.each(sequences)('$name', ({ kind, steps }) => {
    const type = typeOfKind(kind)
    let live: KubeObject | undefined
    for (const [index, step] of steps.entries()) {
      const after =
        step.after === undefined ? undefined : (asStored(live, step.after) as unknown as KubeObject)
      // Refused by the kind's own rules, which are not those of fields.
      if (step.code === 422) continue
      const result = write(step, { live, after, type })
      expect({ index, ...expectable(result) }).toEqual({ index, ...expected(step, after) })
      if (after !== undefined && !('conflicts' in result) && !('fault' in result)) {
        const differing = differingIn(result.object, after, step)
        const gone = lost(live, result.object, after).filter((at) => !RESTORED.test(at))
        expect({ index, differing, gone }).toEqual({ index, differing: [], gone: [] })
      }
      live = after ?? live
    }
  })
})

/** The object after a step, from what the recording says has changed; nulls within lists are its own. */
function asStored(before: Json | undefined, changes: JsonObject): JsonObject {
  const after: { [key: string]: Json | undefined } = { ...(isObject(before) ? before : {}) }
  for (const [key, change] of Object.entries(changes)) {
    if (change === null) delete after[key]
    else after[key] = isObject(change) ? asStored(after[key], change) : change
  }
  return after
}

/** What defaults (a Job without labels gets its template's) and bookkeeping bring back. */
const RESTORED =
  /^\.(?:status|spec\.(?:parallelism|completions|backoffLimit)|metadata\.(?:labels|managedFields|resourceVersion|generation))/

interface Around {
  readonly live: KubeObject | undefined
  readonly after: KubeObject | undefined
  readonly type: TypeRef
}

function write(step: Step, { live, after, type }: Around): Applied {
  const { manager, subresource, door } = step
  const now = timeOf(after, step)
  const more = subresource === undefined ? {} : { subresource }
  if (door === 'apply') {
    const config = step.body ?? {}
    return fields.apply({
      live,
      config,
      type,
      manager,
      force: step.force === true,
      now,
      ...more,
    })
  }
  const sent = mergePatch(door === 'create' ? {} : (live ?? {}), step.change ?? step.body ?? {})
  const decoded = fields.decode(sent as JsonObject, type, live)
  if ('message' in decoded) return { fault: { code: 400, message: decoded.message } }
  const object = decoded.object
  const managedFields = fields.updateManagers({
    before: live,
    after: object,
    type,
    manager,
    now,
    ...more,
  })
  return { object, managedFields }
}

/** When the step was: the time that it left with its manager. */
function timeOf(after: KubeObject | undefined, { door, manager }: Step): number {
  const operation = door === 'apply' ? 'Apply' : 'Update'
  const times = (after?.metadata.managedFields ?? [])
    .filter((entry) => {
      if (door === 'apply' && entry.manager === 'before-first-apply') return true
      return entry.manager === manager && entry.operation === operation
    })
    .map(({ time = '' }) => instantOf(time))
    .filter((time) => !Number.isNaN(time))
  return times.length === 0 ? 0 : Math.max(...times)
}

type Seen = { readonly managers?: readonly ManagedFieldsEntry[]; readonly causes?: Json }

function expectable(result: Applied): Seen {
  if ('conflicts' in result) {
    const causes = result.conflicts.map(({ owner, field }) => [`conflict with ${owner}`, field])
    return { causes: causes.map(String).sort() }
  }
  if ('fault' in result) return { causes: result.fault.message }
  return { managers: result.managedFields }
}

function expected(step: Step, after: KubeObject | undefined): Seen {
  if (step.causes !== undefined) return { causes: step.causes.map(String).sort() }
  return { managers: after?.metadata.managedFields ?? [] }
}

/** Through each door only what it writes; managers and the server's own numbers apart. */
function differingIn(object: JsonObject, after: KubeObject, step: Step): readonly string[] {
  const { metadata, spec, status, ...rest } = object
  const mine: { [key: string]: Json | undefined } = { ...(metadata as JsonObject) }
  for (const key of ['managedFields', 'resourceVersion', 'generation']) delete mine[key]
  const isStatus = step.subresource === 'status'
  const written = isStatus ? { status } : { ...rest, metadata: mine, spec }
  return withoutDefaulted(differing(written, after))
}
