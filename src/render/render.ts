import type { Fingerprint } from '../core/fingerprint.ts'
import {
  isObject,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
  type Path,
} from '../core/json.ts'
import type { NamedKind } from '../core/names.ts'
import { configMapObjects } from './config-maps.ts'
import { cronFieldOnJob } from './guards.ts'
import { makeObject, type MadeObject } from './job-object.ts'
import { fullName, isDnsLabel, isDnsSubdomain, LABEL_LIMIT, nameLimit } from './names.ts'
import type { RenderOptions } from './options.ts'
import { problemOf, shownPath, sortProblems, type RenderProblem } from './problems.ts'
import { bothModes } from './run.ts'
import { checkValues } from './schema/check.ts'
import { CRON_FIELDS } from './schema/parts.ts'
import { has, JobScope } from './scope.ts'

export interface RenderedObject {
  readonly kind: NamedKind
  readonly name: string
  /** Of the job in the values. */
  readonly path: Path
  readonly object: JsonObject
  readonly intent: Fingerprint
  /** The name is that of an object which ran this intent before. */
  readonly isAdopted: boolean
}

export interface RenderResult {
  /** By group, then job name; empty when anything is an error. */
  readonly objects: readonly RenderedObject[]
  /** With `configMaps`: those that are rendered with the values. */
  readonly configMaps: readonly JsonObject[]
  /** All of them, sorted by path; warnings stop nothing. */
  readonly problems: readonly RenderProblem[]
}

/**
 * Jobs and CronJobs from values, each named after what it does. A pure function of values and
 * options. When one job is wrong nothing is rendered, and everything that is wrong is told.
 */
export function render(values: Json, options: RenderOptions): RenderResult {
  const sharedValues = options.sharedValues === true
  const { values: root, problems: found } = checkValues(values, { sharedValues })
  const whole = fullNameOf(root, options)
  const scopes = scopesOf(root, found)
  const made = scopes.map((scope) => ({ scope, made: makeObject(scope, whole, options) }))
  const problems = sortProblems([
    ...found,
    ...releaseProblems(root, options, { whole, found }),
    ...groupProblems(root, found),
    ...nameProblems(made),
    ...scopes.flatMap((scope) => scope.problems),
  ])
  if (problems.some(({ severity }) => severity === 'error')) {
    return { objects: [], configMaps: [], problems }
  }
  const objects = made.map(({ scope, made: { name, object, intent } }) => {
    const isAdopted = has(scope.job, 'adoptName')
    return { kind: scope.kind, name, path: scope.path, object, intent, isAdopted }
  })
  const configMaps = options.configMaps === true ? configMapObjects(root, whole, options) : []
  return { objects, configMaps, problems }
}

function fullNameOf(root: JsonObject, { release }: RenderOptions): string {
  return fullName(release, {
    nameOverride: stringAt(root, ['nameOverride']) ?? '',
    fullnameOverride: stringAt(root, ['fullnameOverride']) ?? '',
  })
}

function scopesOf(root: JsonObject, found: readonly RenderProblem[]): readonly JobScope[] {
  return entriesOf(root['jobGroups']).flatMap(([groupName, group]) => {
    if (group['enabled'] === false) return []
    return entriesOf(group['jobs']).flatMap(([jobName, job]) => {
      if (job['enabled'] === false) return []
      const refused = refusedKeys(found, groupName, jobName)
      return [new JobScope({ root, groupName, group, jobName, job, refused })]
    })
  })
}

function entriesOf(map: Json | undefined): readonly (readonly [string, JsonObject])[] {
  if (!isObject(map)) return []
  return Object.keys(map)
    .sort()
    .flatMap((name) => {
      const entry = map[name]
      return isObject(entry) ? [[name, entry] as const] : []
    })
}

/** Keys of root, group and job below which a value was refused. */
function refusedKeys(
  found: readonly RenderProblem[],
  groupName: string,
  jobName: string,
): ReadonlySet<string> {
  const keys = found.flatMap(({ path }) => {
    const [top, group, third, job, fifth] = path
    if (top !== 'jobGroups') return [top]
    if (group !== groupName) return []
    if (third !== 'jobs') return [third]
    return job === jobName ? [fifth] : []
  })
  return new Set(keys.filter((key) => typeof key === 'string'))
}

function releaseProblems(
  root: JsonObject,
  { release }: RenderOptions,
  { whole, found }: { readonly whole: string; readonly found: readonly RenderProblem[] },
): readonly RenderProblem[] {
  const problems: RenderProblem[] = []
  const at = NAMING.find((key) => has(root, key))
  const isRefused = found.some(({ path }) => NAMING.includes(String(path[0])))
  if (!isDnsLabel(whole) && !isRefused) {
    const isLong = whole.length > LABEL_LIMIT
    problems.push(
      problemOf('JG103', at === undefined ? [] : [at], {
        text: isLong
          ? `the full name '${whole}' has ${whole.length} characters, and ${LABEL_LIMIT} are allowed`
          : `the full name '${whole}' is no DNS-1123 label`,
        remedy: isLong
          ? 'set a shorter fullnameOverride, or another release name'
          : 'use a-z, 0-9 and - only, with a letter or digit at both ends',
        on: 'value',
      }),
    )
  }
  if (!isDnsLabel(release.namespace)) {
    problems.push(
      problemOf('JG103', [], {
        text: `the namespace '${release.namespace}' is no DNS-1123 label`,
        remedy: 'use at most 63 of a-z, 0-9 and -, with a letter or digit at both ends',
      }),
    )
  }
  return problems
}

const NAMING: readonly string[] = ['fullnameOverride', 'nameOverride']

/** What is wrong on a group itself, once, however many jobs it has. */
function groupProblems(
  root: JsonObject,
  found: readonly RenderProblem[],
): readonly RenderProblem[] {
  const refused = new Set(found.map(({ path }) => shownPath(path)))
  return entriesOf(root['jobGroups']).flatMap(([name, group]) => {
    const path = ['jobGroups', name]
    if (group['enabled'] === false) return []
    const both = bothModes(group)
    const isJob = group['kind'] !== 'CronJob' && !refused.has(shownPath([...path, 'kind']))
    const cron = isJob ? Object.keys(CRON_FIELDS) : []
    return [
      ...(both === undefined
        ? []
        : [problemOf('JG101', path, { ...both, at: [...path, 'tasks'] })]),
      ...cron
        .filter((key) => has(group, key))
        .map((key) => problemOf('JG113', path, cronFieldOnJob(key, [...path, key]))),
      ...(group['jobs'] === undefined && !refused.has(shownPath([...path, 'jobs']))
        ? [problemOf('JG104', path, NO_JOBS)]
        : []),
    ]
  })
}

const NO_JOBS = {
  text: 'the group has no jobs',
  remedy: 'add jobs: {NAME: {...}}, or remove the group',
}

interface Made {
  readonly scope: JobScope
  readonly made: MadeObject
}

function nameProblems(all: readonly Made[]): readonly RenderProblem[] {
  const problems: RenderProblem[] = []
  const adopted = all.filter(({ scope }) => has(scope.job, 'adoptName'))
  const others = all.filter(({ scope }) => !has(scope.job, 'adoptName'))
  const first = new Map<string, JobScope>()
  for (const { scope, made } of others) {
    const other = first.get(made.name)
    if (other === undefined) first.set(made.name, scope)
    // What was refused is missing in the hash, so the names may not be the last word.
    else if (scope.refused.size + other.refused.size === 0) {
      problems.push(
        problemOf('JG115', scope.path, {
          text: `renders the same name as ${shownPath(other.path)}`,
          remedy: 'rename the job, or the group within its first eight characters',
        }),
      )
    }
  }
  for (const { scope, made } of adopted) {
    const other = first.get(made.name)
    if (other === undefined) first.set(made.name, scope)
    problems.push(...adoptProblems(scope, made, other))
  }
  return problems
}

function adoptProblems(
  scope: JobScope,
  { name, object }: MadeObject,
  other: JobScope | undefined,
): readonly RenderProblem[] {
  const at = [...scope.path, 'adoptName']
  const say = (code: 'JG103' | 'JG121', text: string): RenderProblem =>
    problemOf(code, scope.path, {
      text,
      remedy: 'write the name of the Job in the cluster that has run this, or remove adoptName',
      at,
      on: 'value',
    })
  const spec = objectAt(object, ['spec']) ?? {}
  const limit = nameLimit(scope.kind, objectAt(spec, ['jobTemplate', 'spec']) ?? spec)
  const found: RenderProblem[] = []
  if (name.length > limit) {
    found.push(
      say(
        'JG121',
        `adoptName has ${name.length} characters, and a ${scope.kind} may have ${limit}`,
      ),
    )
  } else if (!isDnsSubdomain(name)) found.push(say('JG103', `adoptName '${name}' is no valid name`))
  if (other !== undefined) {
    found.push(say('JG121', `adoptName '${name}' is taken by ${shownPath(other.path)}`))
  }
  return found
}
