import { integerAt, stringAt } from '../../core/json.ts'
import type { Manifest } from '../../core/manifest.ts'
import { outermost } from '../../core/source.ts'
import type { Repository, Subject } from '../../ownership/subject.ts'
import { jobWords, type Report } from '../report.ts'
import { count, listed } from '../words.ts'

/**
 * A first semel.yaml: valid as it is, and with proposals from what the repository holds, all of
 * them comments, because only a person knows which are meant. `fileName` gives a path from the
 * folder of semel.yaml.
 */
export function firstConfig(
  { repository, numbers }: Pick<Report, 'repository' | 'numbers'>,
  fileName: (shown: string) => string,
): string {
  const parts = [
    '# Settings of semel for this repository; docs/reference/config.md describes all of them.',
    'version: 1',
    '',
    `# Found: ${jobWords(numbers)} in ${count(numbers.files, 'file')}. ${engineWords(repository)}`,
    ...scopeProposal(repository, fileName),
    '',
    '# Levels of rules: off, info, warning or error. `semel explain` lists the rules.',
    '# rules:',
    '#   no-deadline: error',
    '',
    '# Files and folders that are not judged:',
    '# ignore:',
    '#   - vendor/**',
    ...ttlProposal(repository, fileName),
  ]
  return `${parts.join('\n')}\n`
}

function engineWords({ subjects }: Repository): string {
  const known = new Map<string, number>()
  let unknown = 0
  for (const { engine, traits } of subjects) {
    if (traits.assumed) unknown += 1
    else known.set(engine.title, (known.get(engine.title) ?? 0) + 1)
  }
  const words = [...known].map(([title, number]) => `${title} applies ${number}`)
  const rest = unknown === 0 ? [] : [`nothing here says what applies ${unknown}`]
  return words.length + rest.length === 0 ? '' : `${listed([...words, ...rest])}.`
}

/** Folders whose Jobs nobody applies, as far as the repository tells. */
function scopeProposal(
  { subjects }: Repository,
  fileName: (shown: string) => string,
): readonly string[] {
  const folders = new Map<string, number>()
  for (const { traits, manifest } of subjects) {
    if (!traits.assumed) continue
    const name = fileName(pathOf(manifest))
    const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : name
    folders.set(folder, (folders.get(folder) ?? 0) + 1)
  }
  if (folders.size === 0) return []
  const shown = [...folders]
    .slice(0, MAX_SCOPES)
    .flatMap(([folder, number]) => [
      `#   - path: ${scalar(folder)} # ${count(number, 'Job or CronJob', 'Jobs or CronJobs')}`,
      '#     engine: kubectl',
    ])
  const left = folders.size - MAX_SCOPES
  return [
    '# Say what applies the files of which the repository does not tell:',
    '# scopes:',
    ...shown,
    ...(left > 0 ? [`#   # and ${count(left, 'more folder')}`] : []),
  ]
}

const MAX_SCOPES = 10

/** The most frequent TTL as the contract, every other Job as an exception from it. */
function ttlProposal(
  repository: Repository,
  fileName: (shown: string) => string,
): readonly string[] {
  const jobs = [...jobsOf(repository)]
  const seconds = mostFrequent(jobs.map(([, job]) => ttlOf(job)))
  if (seconds === undefined) return []
  const agreed = jobs.filter(([, job]) => ttlOf(job) === seconds).length
  const none = jobs.filter(([, job]) => ttlOf(job) === undefined)
  const other = jobs.filter(([, job]) => ![undefined, seconds].includes(ttlOf(job)))
  const entry = ([manifest, job]: readonly [Manifest, Subject]): readonly string[] => [
    `#     - file: ${scalar(fileName(pathOf(manifest)))}`,
    `#       job: ${scalar(nameOf(manifest))}`,
    ...(ttlOf(job) === undefined ? [] : [`#       seconds: ${ttlOf(job)}`]),
    '#       reason: # why this Job is an exception',
  ]
  return [
    '',
    `# A TTL contract: every Job has the same ttlSecondsAfterFinished (${agreed} of ${jobs.length} have this one),`,
    '# and every exception is listed with its reason.',
    '# ttlContract:',
    `#   seconds: ${seconds}`,
    ...(none.length === 0 ? [] : ['#   none:', ...none.flatMap(entry)]),
    ...(other.length === 0 ? [] : ['#   value:', ...other.flatMap(entry)]),
  ]
}

function jobsOf({ subjects }: Repository): ReadonlyMap<Manifest, Subject> {
  const jobs = new Map<Manifest, Subject>()
  for (const subject of subjects) {
    if (subject.kind === 'Job' && !jobs.has(subject.manifest)) jobs.set(subject.manifest, subject)
  }
  return jobs
}

function ttlOf({ object }: Subject): number | undefined {
  return integerAt(object, ['spec', 'ttlSecondsAfterFinished'])
}

function mostFrequent(values: readonly (number | undefined)[]): number | undefined {
  const counts = new Map<number, number>()
  for (const value of values) {
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const [best] = [...counts].sort((one, other) => other[1] - one[1] || other[0] - one[0])
  return best?.[0]
}

function nameOf({ name, object }: Manifest): string {
  return name ?? stringAt(object, ['metadata', 'generateName']) ?? ''
}

function pathOf({ document: { source, span } }: Manifest): string {
  return outermost({ source, span }).source.path
}

/** Plain where every reader takes it for text, else quoted. */
function scalar(text: string): string {
  const isPlain =
    /^[A-Za-z][\w./${}-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
  return isPlain ? text : JSON.stringify(text)
}
