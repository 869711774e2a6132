import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isList, isObject, objectAt, type Json, type JsonObject } from '../../src/core/json.ts'
import { nameProblem } from '../../src/core/names.ts'
import { render } from '../../src/render/render.ts'
import { errorsOf, SHOP } from './harness.ts'

/** Values that are right, with much of what the schema knows. */
const word = fc.constantFrom('a', 'b', 'c', 'x-1')
const text = fc.oneof(word, fc.string({ maxLength: 6 }), fc.constantFrom('yes', '012', ''))
const texts = fc.array(text, { maxLength: 2 })
const textMap = fc.dictionary(word, text, { maxKeys: 2 })
const env = fc.dictionary(
  fc.constantFrom('A', 'B', 'C', 'D'),
  fc.oneof(text, fc.constant(null), fc.constant({ valueFrom: { fieldRef: { fieldPath: 'x' } } })),
  { maxKeys: 3 },
)
const image = fc.record({
  repository: word,
  tag: word,
  pullPolicy: fc.constantFrom('Always', 'Never'),
})
const level = fc.record(
  {
    env,
    envSecrets: fc.array(word, { maxLength: 2 }),
    envConfigMaps: fc.array(word, { maxLength: 2 }),
    securityContext: fc.dictionary(fc.constantFrom('runAsUser', 'runAsGroup'), fc.nat(9)),
    resources: fc.constantFrom<Json>({}, { limits: { memory: '1Gi' } }, { requests: { cpu: 1 } }),
    nodeSelector: textMap,
    tolerations: fc.array(fc.record({ key: word }), { maxLength: 2 }),
    podAnnotations: textMap,
    terminationGracePeriodSeconds: fc.nat(9),
    automountServiceAccountToken: fc.boolean(),
    volumes: fc.dictionary(
      word,
      fc.constantFrom<Json>({ emptyDir: {} }, { hostPath: { path: '/' } }),
    ),
  },
  { requiredKeys: [] },
)
const command = fc.oneof(fc.record({ command: text }), fc.record({ command: texts, args: texts }))
const job = fc.tuple(level, command).map(([one, other]) => ({ ...one, ...other }))
const jobs = fc.dictionary(word, job, { minKeys: 1, maxKeys: 3 })
const group = fc.tuple(level, jobs).map(([one, other]) => ({ ...one, jobs: other }))
const values = fc
  .tuple(level, image, fc.dictionary(fc.constantFrom('db', 'web'), group, { minKeys: 1 }))
  .map(([root, its, jobGroups]): JsonObject => {
    const { podAnnotations, ...rest } = root
    const more = podAnnotations === undefined ? {} : { jobPodAnnotations: podAnnotations }
    return { fullnameOverride: 'shop', ...rest, ...more, image: its, jobGroups }
  })

const runs = { numRuns: Number(process.env['RUNS'] ?? 50) }
const shown = (given: JsonObject): string =>
  JSON.stringify(render(given, SHOP).objects.map(({ object }) => object))

describe('whatever the values are', () => {
  it('the order of keys changes no byte', () => {
    fc.assert(
      fc.property(values, fc.infiniteStream(fc.nat()), (given, chance) => {
        expect(errorsOf(render(given, SHOP))).toEqual([])
        expect(shown(shuffled(given, chance) as JsonObject)).toBe(shown(given))
      }),
      runs,
    )
  })

  it('inputs are never modified', () => {
    fc.assert(
      fc.property(values, (given) => {
        const before = JSON.stringify(given)
        render(frozen(given), { ...SHOP, configMaps: true })
        expect(JSON.stringify(given)).toBe(before)
      }),
      runs,
    )
  })

  it('a name changes exactly when the pod does', () => {
    fc.assert(
      fc.property(values, values, (one, other) => {
        const podsOf = (given: JsonObject): ReadonlyMap<string, string> =>
          new Map(
            render(given, SHOP).objects.map(({ object, path, name }) => [
              path.join('.'),
              `${JSON.stringify(podPart(object))} ${name}`,
            ]),
          )
        const [first, second] = [podsOf(one), podsOf(other)]
        for (const [path, made] of first) {
          const again = second.get(path)
          if (again === undefined) continue
          const [pod, name] = split(made)
          const [otherPod, otherName] = split(again)
          expect(name === otherName).toBe(pod === otherPod)
        }
      }),
      runs,
    )
  })

  it('changing any leaf that reaches the pod changes the name', () => {
    fc.assert(
      fc.property(values, fc.nat(), (given, chance) => {
        const [path, changed] = withOtherLeaf(given, chance)
        const before = render(given, SHOP).objects
        const after = render(changed, SHOP).objects
        if (after.length === 0) return
        for (const [index, { object, name }] of before.entries()) {
          const other = after[index]
          const isSame =
            JSON.stringify(podPart(object)) === JSON.stringify(podPart(other?.object ?? {}))
          expect([path, other?.name === name]).toEqual([path, isSame])
        }
      }),
      { ...runs, numRuns: runs.numRuns * 4 },
    )
  })

  it('names are such as Kubernetes takes', () => {
    const name = fc.stringMatching(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/)
    fc.assert(
      fc.property(name, name, name, fc.boolean(), (fullnameOverride, one, other, isCron) => {
        const cron = isCron ? { kind: 'CronJob', schedule: '@daily' } : {}
        const jobGroups = { [one]: { ...cron, jobs: { [other]: { command: 'x' } } } }
        const given = { fullnameOverride, image: { repository: 'a', tag: 'b' }, jobGroups }
        const [made] = render(given, SHOP).objects
        if (made === undefined) throw new Error('nothing was rendered')
        expect(
          nameProblem(made.kind, made.name, objectAt(made.object, ['spec']) ?? {}),
        ).toBeUndefined()
        for (const label of Object.values(objectAt(made.object, ['metadata', 'labels']) ?? {})) {
          expect(JSON.stringify(label).length).toBeLessThanOrEqual(65)
        }
      }),
      runs,
    )
  })

  it('nonsense is refused or rendered, and never a crash', () => {
    const words =
      'jobGroups db jobs migrate image tag repository env command args tasks inherit volumes kind ' +
      'volumeMounts hooks argocd hook configMaps enabled mountPath data schedule global tolerations'
    const key = fc.constantFrom(...words.split(' '), '__proto__', 'constructor', '\ud800')
    const { any } = fc.letrec<{ any: Json }>((tie) => ({
      any: fc.oneof(
        { depthSize: 'medium' },
        fc.constantFrom<Json>(
          null,
          0,
          1.5,
          -1,
          2n ** 70n,
          true,
          '',
          'x',
          'CronJob',
          '$(A)',
          '\ud800',
        ),
        fc.array(tie('any'), { maxLength: 2 }),
        fc.dictionary(key, tie('any'), { maxKeys: 4 }),
      ),
    }))
    const nonsense = fc.oneof(
      any,
      any.map((inner) => ({
        image: { repository: 'a', tag: 'b' },
        jobGroups: { db: { jobs: { migrate: inner } } },
      })),
      any.map((inner) => ({
        jobGroups: { db: inner, other: { jobs: { x: { command: 'x' } } } },
        env: inner,
      })),
    )
    fc.assert(
      fc.property(nonsense, (given) => {
        const { objects, problems } = render(given, { ...SHOP, configMaps: true })
        const isWrong = problems.some(({ severity }) => severity === 'error')
        if (isWrong) expect(objects).toEqual([])
      }),
      { ...runs, numRuns: runs.numRuns * 10 },
    )
  })
})

/** What the API server refuses to change. */
function podPart(object: JsonObject): Json {
  const template = objectAt(object, ['spec', 'template']) ?? {}
  const annotations = objectAt(template, ['metadata', 'annotations']) ?? null
  return [template['spec'] ?? null, annotations]
}

function split(text: string): readonly [string, string] {
  const space = text.lastIndexOf(' ')
  return [text.slice(0, space), text.slice(space + 1)]
}

function shuffled(value: Json, chance: fc.Stream<number>): Json {
  if (isList(value)) return value.map((item) => shuffled(item, chance))
  if (!isObject(value)) return value
  const keyed = Object.entries(value).map(
    ([key, item]) => [chance.next().value ?? 0, key, shuffled(item ?? null, chance)] as const,
  )
  keyed.sort(([one], [other]) => one - other)
  return Object.fromEntries(keyed.map(([, key, item]) => [key, item]))
}

function frozen(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  for (const item of Object.values<Json | undefined>(value)) frozen(item ?? null)
  return Object.freeze(value)
}

/** The values with one text or number in them changed, and where. */
function withOtherLeaf(values: JsonObject, chance: number): readonly [string, JsonObject] {
  const leaves: (readonly (string | number)[])[] = []
  const walk = (value: Json | undefined, path: readonly (string | number)[]): void => {
    if (isList(value)) for (const [index, item] of value.entries()) walk(item, [...path, index])
    else if (isObject(value))
      for (const [key, item] of Object.entries(value)) walk(item, [...path, key])
    else if (typeof value === 'string' || typeof value === 'number') leaves.push(path)
  }
  const { fullnameOverride: _, ...rest } = values
  walk(rest, [])
  const path = leaves[chance % leaves.length] ?? []
  const copy = JSON.parse(JSON.stringify(values)) as JsonObject
  let here = copy as Record<string, unknown>
  for (const step of path.slice(0, -1)) here = here[step] as Record<string, unknown>
  const last = path.at(-1) ?? ''
  here[last] = typeof here[last] === 'number' ? here[last] + 1 : `${String(here[last])}x`
  return [path.join('.'), copy]
}
