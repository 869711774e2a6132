import { at, integerAt, stringAt, type Path } from '../../core/json.ts'
import { UNRENDERED } from '../../engines/hooks.ts'
import { jobSpecPath, type Subject } from '../../ownership/subject.ts'
import { playable } from '../repository/playable.ts'
import { USUAL, type Forecast, type ForecastOptions } from './contract.ts'
import { restoredStarts, within } from './rounds.ts'
import { scheduleForecast } from './schedule.ts'
import {
  hookForecast,
  neverForecast,
  onceForecast,
  periodForecast,
  replacedForecast,
  unknownForecast,
} from './words.ts'
import { workOf } from './work.ts'

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

/** A Job that is replaced on an occasion may be restored between two of them, too. */
function plainForecast(subject: Subject, options: ForecastOptions): Forecast {
  const { recreatesUnchanged } = subject.traits
  const restored = restoredForecast(subject, options)
  if (recreatesUnchanged === undefined || restored.kind === 'unknown') return restored
  return restored.kind === 'period'
    ? { ...restored, again: recreatesUnchanged }
    : replacedForecast(subject, recreatesUnchanged)
}

function restoredForecast(subject: Subject, options: ForecastOptions): Forecast {
  const { traits, object } = subject
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
