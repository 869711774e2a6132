import { at, integerAt, stringAt, type Path } from '../../core/json.ts'
import { UNRENDERED } from '../../engines/hooks.ts'
import { jobSpecPath, type Subject } from '../../ownership/subject.ts'
import type { RunCause } from '../history/history.ts'
import { playable } from '../repository/playable.ts'
import { isSame, restoredStarts, type Starts } from './rounds.ts'
import { scheduleForecast } from './schedule.ts'
import {
  hookForecast,
  neverForecast,
  onceForecast,
  periodForecast,
  replacedForecast,
  unknownForecast,
} from './words.ts'
import { workOf, type Work } from './work.ts'

/**
 * How often a Job will run while nobody changes anything, from what its engine's traits declare.
 * Counted from the moment at which its engine comes to it for the first time.
 */
export interface Forecast {
  readonly kind: 'never' | 'once' | 'period' | 'schedule' | 'occasions' | 'unknown'
  /** In the span; left out where only occasions are known, or nothing. */
  readonly runs?: number
  readonly firstSeconds?: number
  /** Of runs that keep coming, once their rhythm has settled. */
  readonly periodSeconds?: number
  /** Of the repetitions; of the first run where there are none. */
  readonly cause?: RunCause
  /** Rules of docs/engines that it rests on. */
  readonly rules: readonly string[]
  /** On what further occasion it runs: `every full sync`, `the next revision of the source`. */
  readonly again?: string
  /** For a column: `every 25 h`, `24 a day`. */
  readonly short: string
  /** Without its full stop, in the words of `semel simulate`. */
  readonly sentence: string
}

export interface ForecastOptions {
  readonly spanSeconds: number
  /** Counts for schedules alone. */
  readonly start: number
  readonly work: Work
}

/** A week from a Monday on, of work that takes a minute and succeeds. */
export const USUAL: ForecastOptions = {
  spanSeconds: 604_800,
  start: Date.UTC(2026, 0, 5),
  work: { seconds: 60, outcome: 'ok' },
}

/** In idealised timing: nothing takes time but the work. Unknown claims nothing. */
export function forecastOf(subject: Subject, options: ForecastOptions = USUAL): Forecast {
  const { traits, engine, object, kind } = subject
  if (traits.assumed) return unknownForecast('nothing here says what applies it')
  if (traits.mayApply === true) return unknownForecast(traits.appliesNot ?? UNRENDERED)
  if (!traits.applies) {
    return neverForecast(
      traits.appliesNot ?? 'it is left alone',
      [traits.restoresAbsent.rule],
      options,
    )
  }
  const made = playable(object, (path: Path) => subject.isOpen(path))
  if ('unknown' in made) return unknownForecast(made.unknown)
  const spec = jobSpecPath(subject)
  const isSuspended =
    at(object, ['spec', 'suspend']) === true || at(object, [...spec, 'suspend']) === true
  if (isSuspended) return neverForecast('it is suspended', [], options)
  const manager = stringAt(object, [...spec, 'managedBy'])
  if (manager !== undefined && manager !== JOB_CONTROLLER) {
    return unknownForecast(`${manager} runs its Jobs (managedBy)`)
  }
  if (stringAt(object, ['metadata', 'labels', KUEUE]) !== undefined) {
    return unknownForecast(`Kueue admits it (${KUEUE})`)
  }
  if (kind === 'CronJob') return scheduleForecast(object, options)
  const { hook } = traits
  const isNamed = stringAt(object, ['metadata', 'name']) !== undefined
  if (!isNamed && (traits.generateName === 'refused' || hook === undefined)) {
    return neverForecast(
      `it has generateName and no name, which ${engine.title} refuses`,
      [],
      options,
    )
  }
  if (hook !== undefined) {
    return hook.onlyOn === UNRENDERED
      ? unknownForecast('only rendering can tell on what occasion its hook runs')
      : hookForecast(subject, hook, options)
  }
  return plainForecast(subject, options)
}

const JOB_CONTROLLER = 'kubernetes.io/job-controller'
const KUEUE = 'kueue.x-k8s.io/queue-name'

function plainForecast(subject: Subject, options: ForecastOptions): Forecast {
  const { traits, object } = subject
  if (traits.recreatesUnchanged !== undefined) {
    return replacedForecast(subject, traits.recreatesUnchanged)
  }
  const { restoresAbsent } = traits
  if (options.work.outcome === 'fail' && traits.recreatesFailed !== undefined) {
    return unknownForecast('its engine tries it again after each failure')
  }
  const ttlSeconds = integerAt(object, ['spec', 'ttlSecondsAfterFinished'])
  if (ttlSeconds === undefined) return onceForecast(subject, options, {})
  if (restoresAbsent.when === 'never' || restoresAbsent.when === 'change') {
    return restoresAbsent.when === 'change' && restoresAbsent.orSooner === true
      ? unknownForecast(OR_SOONER)
      : onceForecast(subject, options, { ttlSeconds })
  }
  const run = workOf(object, options.work)
  if (run === undefined) return unknownForecast('how long its work takes cannot be told')
  const starts = restoredStarts(restoresAbsent, traits.waiter, { ...run, ttlSeconds })
  if ('unknown' in starts) return unknownForecast(starts.unknown)
  return within(starts, options.spanSeconds) <= 1
    ? onceForecast(subject, options, { ttlSeconds, seconds: run.seconds })
    : periodForecast(subject, options, { ttlSeconds, starts })
}

const OR_SOONER = 'only rendering can tell whether it is restored when it is gone'

/** How many of them come before the end of the span. */
export function within(starts: Starts, spanSeconds: number): number {
  const before = starts.before.filter((start) => start < spanSeconds || isSame(start, 0)).length
  const last = starts.before.at(-1) ?? 0
  if (starts.periodSeconds === undefined || last >= spanSeconds) return before
  return before + Math.ceil((spanSeconds - last) / starts.periodSeconds) - 1
}
