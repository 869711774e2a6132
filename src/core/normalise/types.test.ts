import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import type { Field, Shape } from './field.ts'
import { TYPES } from './types.ts'

/** One field as /openapi/v3 of a real API server 1.36 and the API's Go types describe it. */
interface ApiField {
  readonly of: string
  readonly list?: 'atomic' | 'set' | 'map'
  readonly keys?: readonly string[]
  readonly map?: true
  readonly default?: Json
  readonly pointer: boolean
}

const api = JSON.parse(readFileSync('fixtures/hash/server/openapi-1.36.json', 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, ApiField>>>
>

interface Row {
  readonly path: string
  readonly theirs: ApiField | undefined
  readonly ours: Field | undefined
}

const rows: readonly Row[] = [...pairs('CronJobSpec', 'CronJobSpec', new Set())]

/** Both descriptions side by side; the tables may share one type where the API has two alike. */
function* pairs(apiType: string, ourType: string, seen: Set<string>): Generator<Row> {
  const theirs = api[apiType] ?? {}
  const ours = TYPES[ourType]?.fields ?? {}
  if (seen.has(`${apiType} ${ourType}`)) return
  seen.add(`${apiType} ${ourType}`)
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    const field = ours[key]
    yield { path: `${apiType}.${key}`, theirs: theirs[key], ours: field }
    const struct = field === undefined ? undefined : structOf(field.shape)
    const next = theirs[key]?.of
    if (struct !== undefined && next !== undefined) yield* pairs(next, struct, seen)
  }
}

function structOf(shape: Shape): string | undefined {
  if (shape.kind === 'struct') return shape.type
  return shape.kind === 'list' || shape.kind === 'map' ? structOf(shape.of) : undefined
}

describe('the tables, against the API of Kubernetes 1.36', () => {
  it('know the same fields of the same types', () => {
    const unlike = rows.filter(({ theirs, ours }) => theirs === undefined || ours === undefined)
    expect(unlike.map(({ path }) => path)).toEqual([])
    expect(rows.length).toBeGreaterThan(500)
  })

  it('name only types that exist, and none that nobody uses', () => {
    const used = new Set(['CronJobSpec', 'JobSpec'])
    for (const { fields } of Object.values(TYPES)) {
      for (const field of Object.values(fields)) {
        const struct = structOf(field.shape)
        if (struct !== undefined) used.add(struct)
      }
    }
    expect([...used].sort()).toEqual(Object.keys(TYPES).sort())
  })

  it('agree on shapes, list types, keys, zero values and defaults', () => {
    expect(rows.flatMap(disagreements)).toEqual([])
  })

  it('say why the order of an atomic list does or does not count', () => {
    const silent = rows.filter(
      ({ ours }) => ours?.shape.kind === 'list' && ours.shape.order.why === '',
    )
    expect(silent.filter(({ theirs }) => theirs?.list === 'atomic')).toEqual([])
  })
})

function disagreements({ path, theirs, ours }: Row): readonly string[] {
  if (theirs === undefined || ours === undefined || ours.never !== undefined) return []
  const { shape } = ours
  const found: string[] = []
  const check = (agrees: boolean, what: string): void => {
    if (!agrees) found.push(`${path}: ${what}`)
  }
  const collection = theirs.list === undefined ? (theirs.map ? 'map' : undefined) : 'list'
  const inner = shape.kind === 'list' || shape.kind === 'map' ? shape.of : shape
  check(collection === undefined || shape.kind === collection, `is a ${collection}`)
  check(inner.kind === innerKind(theirs.of), `holds a ${theirs.of}`)
  if (shape.kind === 'list') {
    const { api, counts, keys } = shape.order
    const sameKeys = [...keys].sort().join() === [...(theirs.keys ?? [])].sort().join()
    check(api === theirs.list, `is a list of type ${theirs.list}`)
    check(
      theirs.keys === undefined || counts !== 'keys' || sameKeys,
      `has keys ${theirs.keys?.join()}`,
    )
  }
  const zero = zeroIsAbsence(ours) && !POINTERS_WITH_ZERO_DEFAULT.has(path)
  check(collection !== undefined || zero === !theirs.pointer, `pointer: ${theirs.pointer}`)
  const knowsDefault = theirs.default === undefined || ours.absent.includes(theirs.default)
  check(inner.kind === 'struct' || knowsDefault, `default ${JSON.stringify(theirs.default)}`)
  return found
}

function innerKind(of: string): Shape['kind'] {
  if (of === 'Quantity') return 'quantity'
  return ['string', 'integer', 'boolean', 'IntOrString', 'Time'].includes(of) ? 'scalar' : 'struct'
}

/** Whether the field takes Go's zero value for absence, as a field that is no pointer does. */
function zeroIsAbsence({ absent, shape }: Field): boolean {
  if (shape.kind === 'struct') return absent.length > 0
  return absent.some((value) => value === '' || value === false || value === 0 || value === '0')
}

/** Pointers that the server fills with what is the zero value of their type. */
const POINTERS_WITH_ZERO_DEFAULT: ReadonlySet<string> = new Set([
  'AzureDiskVolumeSource.readOnly',
  'CronJobSpec.suspend',
  'FileKeySelector.optional',
  'GRPCAction.service',
  'HostPathVolumeSource.type',
  'JobSpec.manualSelector',
  'JobSpec.suspend',
  'PodSpec.securityContext',
])
