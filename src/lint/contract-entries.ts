import { integerAt, stringAt } from '../core/json.ts'
import type { Manifest } from '../core/manifest.ts'
import { outermost, type Place } from '../core/source.ts'
import type { Repository } from '../ownership/subject.ts'
import { isPast } from './dates.ts'
import { didYouMean } from './nearest.ts'
import type { TtlContract, TtlEntry } from './rule.ts'

/**
 * Entries of the TTL contract that no longer hold. An exception that nobody needs would let the
 * next Job of that name through unseen, so each of these is an error. Whether a Job has the TTL
 * that its entry asserts is the rule ttl-contract's to say.
 * Silent on files that this run did not look at: outside the given paths, or unreadable.
 */
export function staleEntries(
  contract: TtlContract,
  repository: Repository,
  options: StaleOptions,
): readonly StaleEntry[] {
  const jobs = jobsByFile(repository)
  const stale: StaleEntry[] = []
  for (const entry of contract.none) stale.push(...staleWays(entry, jobs, options))
  for (const entry of contract.value) {
    const ways = staleWays(entry, jobs, options)
    stale.push(...ways, ...(ways.length === 0 ? standardValue(entry, contract, repository) : []))
  }
  return stale
}

export interface StaleOptions {
  readonly today: string
  /**
   * `read`: judged in this run; `unknown`: outside the given paths or not readable; `ignored`:
   * left out by `ignore` in semel.yaml or by git; `missing`: no such file.
   */
  fileState(path: string): 'read' | 'unknown' | 'ignored' | 'missing'
}

export interface StaleEntry {
  readonly place: Place
  readonly what: string
  readonly why: string
  readonly remedy: string
}

/** Entries that say the same thing twice, or two things about one Job. */
export function clashingEntries({ none, value }: TtlContract): readonly StaleEntry[] {
  const seen = new Map<string, { list: string; entry: TtlEntry }>()
  const clashes: StaleEntry[] = []
  const lists = { none, value }
  for (const [list, entries] of Object.entries(lists)) {
    for (const entry of entries) {
      const key = JSON.stringify([entry.file, entry.job])
      const first = seen.get(key)
      if (first === undefined) seen.set(key, { list, entry })
      else clashes.push(clash(entry, first.list, list))
    }
  }
  return clashes
}

function clash(entry: TtlEntry, firstList: string, list: string): StaleEntry {
  const { file, job, place } = entry
  if (firstList === list) {
    return {
      place,
      what: `ttlContract.${list} names Job ${job} of ${file} twice`,
      why: 'one of the two would stay behind when the other is corrected',
      remedy: 'remove one of them',
    }
  }
  return {
    place,
    what: `Job ${job} of ${file} is in ttlContract.${firstList} and in ttlContract.${list}`,
    why: 'a Job cannot have no TTL and a certain TTL at once',
    remedy: 'keep the entry that is meant, and remove the other',
  }
}

function staleWays(
  entry: TtlEntry,
  jobs: ReadonlyMap<string, readonly Manifest[]>,
  options: StaleOptions,
): readonly StaleEntry[] {
  const { file, job, expires, reason, place } = entry
  const ways: StaleEntry[] = []
  if (expires !== undefined && isPast(expires, options.today)) {
    ways.push({
      place,
      what: `the exception for Job ${job} of ${file} ended on ${expires}`,
      why: `it was granted until then because: ${reason}`,
      remedy:
        'give the Job the standard TTL and remove the entry, or set a new end with its reason',
    })
  }
  const state = options.fileState(file)
  if (state === 'unknown') return ways
  if (state === 'missing' || state === 'ignored') {
    ways.push(state === 'missing' ? missingFile(entry) : ignoredFile(entry))
    return ways
  }
  const inFile = jobs.get(file) ?? []
  if (inFile.length === 0) {
    ways.push({
      place,
      what: `${file} holds no Job, but the TTL contract has an exception for Job ${job} in it`,
      why: 'an exception without its Job would let the next Job of that name through',
      remedy: 'correct the entry if the Job has moved, else remove it',
    })
  } else if (!inFile.some((manifest) => nameOf(manifest) === job)) {
    const names = inFile.map(nameOf)
    ways.push({
      place,
      what: `${file} holds no Job ${job}.${didYouMean(job, names)}`,
      why: `its Jobs are ${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ' …' : ''}`,
      remedy: 'write the name as it stands in the file, or remove the entry if the Job is gone',
    })
  }
  return ways
}

const MAX_NAMES = 5

function missingFile({ file, job, place }: TtlEntry): StaleEntry {
  return {
    place,
    what: `there is no file ${file}, but the TTL contract has an exception for Job ${job} in it`,
    why: 'an exception without its file would let a new file of that name through',
    remedy: 'correct the path if the file has moved, else remove the entry',
  }
}

function ignoredFile({ file, job, place }: TtlEntry): StaleEntry {
  return {
    place,
    what: `${file} is ignored, but the TTL contract has an exception for Job ${job} in it`,
    why: 'Jobs in ignored files are not judged, so the entry has no effect',
    remedy: 'take the file out of ignore (in semel.yaml or .gitignore), or remove the entry',
  }
}

/** An entry in `value` that asserts what every Job has anyway, or whose Job has come to have it. */
function standardValue(
  entry: TtlEntry & { readonly seconds: number },
  contract: TtlContract,
  repository: Repository,
): readonly StaleEntry[] {
  const { file, job, seconds, place } = entry
  if (seconds === contract.seconds) {
    return [
      {
        place,
        what: `the exception for Job ${job} of ${file} asserts the standard TTL of ${seconds} s`,
        why: 'every Job without an entry has that TTL',
        remedy: 'remove the entry',
      },
    ]
  }
  const ttls = repository.subjects
    .filter(({ kind, manifest }) => kind === 'Job' && isNamed(manifest, entry))
    .map(({ object }) => integerAt(object, ['spec', 'ttlSecondsAfterFinished']))
  if (ttls.length === 0 || ttls.some((ttl) => ttl !== contract.seconds)) return []
  return [
    {
      place,
      what: `Job ${job} of ${file} now has the standard TTL of ${contract.seconds} s`,
      why: `its exception asserts ${seconds} s and is no longer needed`,
      remedy: 'remove the entry, or set the Job back to the TTL that the entry asserts',
    },
  ]
}

function jobsByFile({ manifests }: Repository): ReadonlyMap<string, readonly Manifest[]> {
  const jobs = new Map<string, Manifest[]>()
  for (const manifest of manifests) {
    if (manifest.kind !== 'Job' || !manifest.apiVersion.startsWith('batch/')) continue
    const file = fileOf(manifest)
    const known = jobs.get(file)
    if (known === undefined) jobs.set(file, [manifest])
    else known.push(manifest)
  }
  return jobs
}

function isNamed(manifest: Manifest, { file, job }: TtlEntry): boolean {
  return nameOf(manifest) === job && fileOf(manifest) === file
}

function nameOf({ name, object }: Manifest): string {
  return name ?? stringAt(object, ['metadata', 'generateName']) ?? '(no name)'
}

function fileOf({ document: { source, span } }: Manifest): string {
  return outermost({ source, span }).source.path
}
