import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import type { ApiServer } from '../api/contract.ts'
import type { FieldError, Kind } from '../api/kind.ts'
import { invalid } from '../api/status.ts'
import { createApiServer } from '../api/server.ts'
import { seededChance } from '../chance.ts'
import type { KubeObject } from '../object.ts'
import { defaultKinds } from './index.ts'

const RULES = { minor: 36 }
const FOLDER = new URL('../../../fixtures/cluster/kinds/', import.meta.url)

interface Recorded {
  readonly code: number
  readonly warnings?: readonly string[]
  readonly message?: string
  /** Fields of the causes, where these say more than the message. */
  readonly fields?: readonly string[]
  readonly object?: JsonObject
}

function fixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'))
}

/** As the recorder masked the real server's answers. */
function masked(value: unknown): unknown {
  const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
  const text = JSON.stringify(value, (key, found: unknown) =>
    ['managedFields', 'resourceVersion', 'creationTimestamp'].includes(key) ? undefined : found,
  )
  return JSON.parse(text.replaceAll(uid, 'UID'))
}

function serverWithNamespaces(): ApiServer {
  return createApiServer({ rules: RULES, kinds: defaultKinds, chance: seededChance(1) }, 0)
}

interface Created {
  readonly id: string
  readonly body: JsonObject
  readonly answer: Recorded
}

describe.each(['create-job', 'create-cronjob', 'create-pod', 'create-apps', 'create-random'])(
  'the real server 1.36.3 and %s',
  (name) => {
    const server = serverWithNamespaces()
    test.each(fixture(name) as readonly Created[])('$id', ({ body, answer }) => {
      const kind = kindOf(body)
      const request = { verb: 'create', resource: kind, namespace: 'default', body } as const
      const made = server.handle({ ...request, options: { dryRun: true }, user: 'test' }, 0)
      expect(made.code).toBe(answer.code)
      expect(made.warnings).toEqual(answer.warnings ?? [])
      if (answer.object !== undefined) {
        expect(masked(made.body)).toEqual(masked(answer.object))
        return
      }
      const status = masked(made.body) as JsonObject
      expect(status['message']).toBe(answer.message)
      if (answer.fields !== undefined) expect(causeFields(status)).toEqual(answer.fields)
    })
  },
)

interface Updated {
  readonly id: string
  readonly of: string
  readonly status?: boolean
  readonly change: readonly Change[]
  readonly answer: Recorded & { readonly change?: readonly Change[] }
}
type Change = readonly [Path] | readonly [Path, Json]

const updates = fixture('update') as {
  readonly states: { readonly [name: string]: KubeObject }
  readonly rows: readonly Updated[]
}

describe('the real server 1.36.3 and updates', () => {
  test.each(updates.rows)('$id', ({ of, status, change, answer }) => {
    const old = updates.states[of]
    if (old === undefined) throw new Error(`the fixture lacks ${of}`)
    const kind = kindOf(old)
    const { next, errors, warnings } = status
      ? statusUpdate(kind, old, change)
      : update(kind, old, change)
    expect(errors.length === 0 ? 200 : 422).toBe(answer.code)
    if (answer.message === undefined) {
      expect(withoutMeta(next)).toEqual(withoutMeta(changed(old, answer.change ?? [])))
      expect(warnings).toEqual(answer.warnings ?? [])
      return
    }
    const refusal = invalid(kind, old.metadata.name, errors).status
    expect(refusal['message']).toBe(answer.message)
    if (answer.fields !== undefined) expect(causeFields(refusal)).toEqual(answer.fields)
  })
})

interface Outcome {
  readonly next: KubeObject
  readonly errors: readonly FieldError[]
  readonly warnings: readonly string[]
}

function update(kind: Kind, old: KubeObject, change: readonly Change[]): Outcome {
  const sent = kind.defaults?.(changed(old, change), RULES) as KubeObject
  const prepared = kind.prepareForUpdate?.(sent, old, RULES) ?? sent
  const isChanged = JSON.stringify(prepared['spec']) !== JSON.stringify(old['spec'])
  const generation = (old.metadata.generation ?? 0) + (isChanged ? 1 : 0)
  const next: KubeObject = { ...prepared, metadata: { ...prepared.metadata, generation } }
  const errors = kind.validateUpdate?.(next, old, RULES) ?? []
  const warnings = errors.length > 0 ? [] : (kind.warnings?.(next, old, RULES) ?? [])
  return { next, errors, warnings }
}

function statusUpdate(kind: Kind, old: KubeObject, change: readonly Change[]): Outcome {
  const sent = kind.defaults?.(changed(old, change), RULES) as KubeObject
  const next = kind.prepareForStatusUpdate?.(sent, old, RULES) ?? sent
  return { next, errors: kind.validateStatusUpdate?.(next, old, RULES) ?? [], warnings: [] }
}

function changed(object: JsonObject, changes: readonly Change[]): JsonObject {
  let result = object
  for (const [path, value] of changes) result = withValue(result, path, value) as JsonObject
  return result
}

function withValue(value: Json | undefined, path: Path, found: Json | undefined): Json | undefined {
  const [key, ...rest] = path
  if (key === undefined) return found
  const { [key]: before, ...others } = isObject(value) ? value : {}
  const after = withValue(before, rest, found)
  return after === undefined ? others : { ...others, [key]: after }
}

/** Metadata is the server's business, but what the kinds decide of it: labels are kept. */
function withoutMeta(object: JsonObject): unknown {
  const { metadata, apiVersion: _, kind: _kind, ...rest } = object
  const { labels, annotations } = metadata as JsonObject
  return JSON.parse(JSON.stringify({ labels, annotations, ...rest }))
}

function causeFields(status: JsonObject): readonly string[] {
  const details = status['details'] as { readonly causes: readonly { readonly field: string }[] }
  return details.causes.map(({ field }) => field)
}

function kindOf(object: JsonObject): Kind {
  const kind = defaultKinds.find((other) => other.kind === object['kind'])
  if (kind === undefined) throw new Error(`there is no such kind`)
  return kind
}

test('the recordings are as many as promised', () => {
  const created = ['create-job', 'create-cronjob', 'create-pod', 'create-apps', 'create-random']
  const rows = created.flatMap((name) => fixture(name) as readonly Created[])
  expect(rows.length + updates.rows.length).toBeGreaterThan(1000)
})
