import * as fc from 'fast-check'
import { isList, isObject, type Json, type JsonObject } from '../../src/core/json.ts'
import { arbitraryCase, type Case } from './arbitrary.ts'

/** Values of which one place has been changed into something that nobody meant. */
export function arbitraryWrongCase(): fc.Arbitrary<Case> {
  const nonsense = fc.constantFrom<Json>(
    0,
    -1,
    1.5,
    1e21,
    2 ** 53,
    true,
    '',
    'x',
    'Job',
    'no such word',
    '5',
    [],
    {},
    [null, 1, 'a', {}],
    { value: 1 },
    { value: 'a', valueFrom: {} },
    { 'Not A Label': {} },
    { name: 'x', ü: 1.25 },
    'y'.repeat(70),
  )
  const misspelt = fc.constantFrom(
    ...(
      'jobGroup jobgroups imgae comand tolerations adoptName kind cronJobs schedul backofLimit ' +
      'xyz jobs dbJob imagePullSecrets hook argo ü.x'
    ).split(' '),
  )
  const times = fc.oneof(
    fc.constantFrom(...SCHEDULES).map((schedule) => ({ schedule })),
    fc.constantFrom(...ZONES).map((timeZone) => ({ timeZone, schedule: '@daily' })),
  )
  const place = fc.nat()
  const given = arbitraryCase()
  const replaced = fc.tuple(given, place, nonsense).map(([one, at, value]) => ({
    ...one,
    values: changed(one.values, at, () => value),
  }))
  const added = fc.tuple(given, place, misspelt, nonsense).map(([one, at, name, value]) => ({
    ...one,
    values: changed(one.values, at, (old) =>
      isObject(old) ? { ...old, [name]: value } : { [name]: old },
    ),
  }))
  const timed = fc.tuple(given, times).map(([one, time]) => ({
    ...one,
    values: {
      ...one.values,
      jobGroups: { nightly: { kind: 'CronJob', ...time, jobs: { a: { command: 'a' } } } },
    },
  }))
  const clashing = fc.tuple(given, clash(), clash()).map(([one, first, second]) => ({
    ...one,
    values: {
      ...one.values,
      ...(first.top === null ? {} : { [first.top]: {} }),
      jobGroups: {
        'customer-data': { ...first.group, jobs: { a: first.job } },
        'customer-reports': { ...second.group, jobs: { a: second.job, b: first.job } },
      },
    },
  }))
  return fc.oneof(
    { weight: 4, arbitrary: clashing },
    { weight: 4, arbitrary: replaced },
    { weight: 4, arbitrary: added },
    { weight: 2, arbitrary: timed },
  )
}

interface Clash {
  readonly top: string | null
  readonly group: JsonObject
  readonly job: JsonObject
}

/** Fields that are right by themselves, and judged by what stands beside them. */
function clash(): fc.Arbitrary<Clash> {
  const policy = fc
    .array(
      fc.constantFrom(
        ...(
          'HookFailed HookSucceeded BeforeHookCreation Never hook-succeeded hook-failed ' +
          'before-hook-creation hook_succeeded hookfailed nonsense'
        ).split(' '),
        '',
        ' HookFailed\t',
      ),
      { maxLength: 3 },
    )
    .map((words) => words.join(','))
  const hook = fc.constantFrom('PreSync', 'pre-install,pre-upgrade', '', ' , ', 'Skip')
  const annotations = fc.record(
    {
      'argocd.argoproj.io/hook': hook,
      'argocd.argoproj.io/hook-delete-policy': policy,
      'helm.sh/hook': hook,
      'helm.sh/hook-delete-policy': policy,
      'semel.dev/intent': fc.constant('mine'),
    },
    { requiredKeys: [] },
  )
  const tool = fc.option(
    fc.record(
      { hook, deletePolicy: policy, syncWave: fc.constantFrom(1, '-1') },
      { requiredKeys: [] },
    ),
    { nil: null },
  )
  const helm = fc.record({ hook, deletePolicy: policy }, { requiredKeys: [] })
  const level = fc.record(
    {
      metadataAnnotations: annotations,
      hooks: fc.record({ argocd: tool, helm }, { requiredKeys: [] }),
      hashSuffix: fc.constantFrom(true, false, null),
      schedule: fc.constant('@daily'),
      concurrencyPolicy: fc.constant('Forbid'),
      tasks: fc.constantFrom<Json>({ a: { command: 'a' } }, { 'job-completed': {} }, null),
      command: fc.constantFrom('a', null),
      args: fc.constant(['a']),
      ttlSecondsAfterFinished: fc.constant(60),
      adoptName: fc.constantFrom('old', 'Not valid', 'x'.repeat(64)),
    },
    { requiredKeys: [] },
  )
  const some = level.chain((all) =>
    fc.subarray(Object.keys(all), { maxLength: 4 }).map((keys): JsonObject => {
      const kept = Object.entries(all).filter(([key]) => keys.includes(key))
      return Object.fromEntries(kept)
    }),
  )
  return fc.record({
    top: fc.constantFrom(null, null, null, 'postSync'),
    group: fc
      .tuple(some, fc.constantFrom('Job', 'Job', 'CronJob', null))
      .map(([fields, kind]): JsonObject => {
        const kept = Object.entries(fields).filter(([key]) => key !== 'adoptName')
        return { kind, ...Object.fromEntries(kept) }
      }),
    job: some,
  })
}

const SCHEDULES = (
  '* * * *|60 * * * *|0 24 * * *|5-1 * * * *|*/0 * * * *|0 0 * * 7||a b c d e|1-2-3 * * * *|' +
  '1/2/3 * * * *|@often|@every 1x|@every 5m|,|0 0 0 * *|0 0 * 13 *|TZ=UTC 0 0 * * *|' +
  '*-3 +007 * FEB sun-tue|1,,2 - * * *|0 0 1-31/2 * *|0 0 * * mon-SUN|5/ * * * *'
).split('|')
const ZONES = 'utc|Europe/berlin|Mars/Olympus|Local||EST|PST|US/Pacific|Asia/Kolkata'.split('|')

function changed(values: JsonObject, at: number, change: (old: Json) => Json): JsonObject {
  const places: (readonly (string | number)[])[] = []
  const walk = (value: Json | undefined, path: readonly (string | number)[]): void => {
    if (path.length > 0) places.push(path)
    if (isList(value)) for (const [index, item] of value.entries()) walk(item, [...path, index])
    else if (isObject(value))
      for (const [name, item] of Object.entries(value)) walk(item, [...path, name])
  }
  walk(values, [])
  const put = (value: Json | undefined, [step, ...rest]: readonly (string | number)[]): Json => {
    if (step === undefined) return change(value ?? null)
    if (isList(value)) return value.map((item, index) => (index === step ? put(item, rest) : item))
    const map = isObject(value) ? value : {}
    return { ...map, [step]: put(map[step], rest) }
  }
  return put(values, places[at % places.length] ?? []) as JsonObject
}
