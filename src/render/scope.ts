import { isObject, type Json, type JsonObject, type Path } from '../core/json.ts'
import type { NamedKind } from '../core/names.ts'
import { pick, type Level } from './merge.ts'
import { problemOf, type JobGroupCode, type RenderProblem, type Said } from './problems.ts'

/** One job of the values, with the group and the root that it takes from, and what is wrong in it. */
export class JobScope {
  readonly groupName: string
  readonly jobName: string
  readonly kind: NamedKind
  readonly root: JsonObject
  readonly group: JsonObject
  readonly job: JsonObject
  readonly path: Path
  readonly groupPath: Path
  readonly problems: RenderProblem[] = []
  /** Keys of root, group and job of which the check of the values has refused something. */
  readonly refused: ReadonlySet<string>

  constructor(given: {
    readonly root: JsonObject
    readonly groupName: string
    readonly group: JsonObject
    readonly jobName: string
    readonly job: JsonObject
    readonly refused: ReadonlySet<string>
  }) {
    const { root, groupName, group, jobName, job, refused } = given
    this.root = root
    this.group = group
    this.job = job
    this.groupName = groupName
    this.jobName = jobName
    this.refused = refused
    this.kind = group['kind'] === 'CronJob' ? 'CronJob' : 'Job'
    this.groupPath = ['jobGroups', groupName]
    this.path = [...this.groupPath, 'jobs', jobName]
  }

  /** The value of the job, else of the group; with `rootValue`, else that. */
  pick(key: string, rootValue?: Level): Json | undefined {
    return pick([rootValue, this.group[key], this.job[key]])
  }

  text(key: string, rootValue?: Level): string | undefined {
    const value = this.pick(key, rootValue)
    return typeof value === 'string' ? value : undefined
  }

  flag(key: string, standard: boolean, rootValue?: Level): boolean {
    const value = this.pick(key, rootValue)
    return typeof value === 'boolean' ? value : standard
  }

  /** Where the value stands that counts: on the job, the group, the root, or nowhere. */
  whereIs(key: string, ...below: readonly string[]): Path {
    const levels: readonly (readonly [JsonObject, Path])[] = [
      [this.job, this.path],
      [this.group, this.groupPath],
      [this.root, []],
    ]
    for (const [level, path] of levels) {
      let here: Json | undefined = level
      for (const step of [key, ...below]) here = isObject(here) ? here[step] : undefined
      if (here !== undefined) return [...path, key, ...below]
    }
    return this.path
  }

  /**
   * Silent where the code judges a key of which something was refused already: the value that is
   * missing now may be the wrong one.
   */
  say(code: JobGroupCode, said: Said): void {
    if (JUDGES[code]?.some((key) => this.refused.has(key)) === true) return
    this.problems.push(problemOf(code, this.path, said))
  }
}

export function has(level: JsonObject, key: string): boolean {
  return level[key] !== undefined && level[key] !== null
}

const POLICY = ['kind', 'hashSuffix', 'hooks', 'metadataAnnotations', 'commonAnnotations']
const IMAGE = ['image']
const RUN = ['command', 'args', 'tasks']

const JUDGES: Readonly<Partial<Record<JobGroupCode, readonly string[]>>> = {
  JG101: RUN,
  JG106: ['kind', 'schedule'],
  JG107: ['kind', 'hooks'],
  JG108: POLICY,
  JG109: ['kind', 'hashSuffix', 'ttlSecondsAfterFinished'],
  JG110: IMAGE,
  JG111: IMAGE,
  JG112: [
    'backoffLimitPerIndex',
    'completionMode',
    'completions',
    'podFailurePolicy',
    'restartPolicy',
    'successPolicy',
  ],
  JG113: ['kind'],
  JG118: ['env', 'global'],
  JG119: ['volumes', 'volumeMounts', 'useRootVolumes', 'inherit', 'configMaps'],
  JG120: POLICY,
  JG201: IMAGE,
  JG202: ['hashIncludePodAnnotations', 'podAnnotations', 'jobPodAnnotations'],
  JG203: ['env', 'envSecrets', 'envConfigMaps', 'configMaps', 'inherit'],
  JG205: RUN,
}
