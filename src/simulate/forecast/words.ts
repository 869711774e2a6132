import type { EngineId, Hook } from '../../engines/engine.ts'
import type { Subject } from '../../ownership/subject.ts'
import type { Lane, RunCause } from '../history/history.ts'
import { absenceWords, groundWords, type Ground } from '../tell/reason.ts'
import { rhythmWords } from '../tell/sentence.ts'
import { many, spanWords } from '../tell/spans.ts'
import type { Forecast, ForecastOptions } from './contract.ts'
import { within, type Starts } from './rounds.ts'

/** How `semel simulate` calls the one who works. */
const ACTORS: Readonly<Record<EngineId, string>> = {
  argocd: 'argocd-application-controller',
  fleet: 'fleet',
  flux: 'kustomize-controller',
  helm: 'helm',
  'helm-controller': 'helm-controller',
  kro: 'kro',
  kubectl: 'kubectl',
  resourceset: 'flux-operator',
  unknown: 'somebody',
}

export function unknownForecast(why: string): Forecast {
  const sentence = `how often it runs cannot be told: ${why}`
  return { kind: 'unknown', rules: [], short: 'unknown', sentence }
}

export function neverForecast(
  why: string,
  rules: readonly string[],
  { spanSeconds }: ForecastOptions,
): Forecast {
  const sentence = `never runs in ${spanWords(spanSeconds * 1000)}: ${why}`
  return { kind: 'never', runs: 0, rules: rulesOf(rules), short: 'never', sentence }
}

/** Its Job stays, or goes and nothing brings it back by itself. */
export function onceForecast(
  subject: Subject,
  { spanSeconds }: ForecastOptions,
  { ttlSeconds, seconds = 0 }: { readonly ttlSeconds?: number; readonly seconds?: number },
): Forecast {
  const { restoresAbsent } = subject.traits
  const rules = rulesOf([restoresAbsent.rule])
  const isByHand = restoresAbsent.when === 'change' && restoresAbsent.byHand === true
  const base = {
    kind: 'once',
    runs: 1,
    ...(isByHand ? {} : { firstSeconds: 0 }),
    cause: 'first',
    short: 'once',
  } as const
  const runs = `runs once, ${isByHand ? `with ${restoresAbsent.on}` : 'now'}`
  if (ttlSeconds === undefined) {
    return { ...base, rules: [], sentence: `${runs}: its Job has no TTL and stays` }
  }
  if (seconds + ttlSeconds >= spanSeconds) {
    const kept = `its Job stays for the rest of this time (TTL ${spanWords(ttlSeconds * 1000)})`
    return { ...base, rules: [], sentence: `${runs}: ${kept}` }
  }
  const gone = absenceWords('expired', laneOf(ttlSeconds))
  if (restoresAbsent.when !== 'change') {
    return { ...base, rules, sentence: `${runs}: ${gone} and nothing creates it again` }
  }
  const { on } = restoresAbsent
  const again = isByHand ? 'again with each later one' : `again with ${on}`
  const restored = groundWords(groundOf(subject, 'restored'), laneOf(ttlSeconds))
  return { ...base, rules, again: on, sentence: `${runs}, and ${again}: ${restored}` }
}

export function periodForecast(
  subject: Subject,
  { spanSeconds, start }: ForecastOptions,
  { ttlSeconds, starts }: { readonly ttlSeconds: number; readonly starts: Starts },
): Forecast {
  const { waiter, restoresAbsent } = subject.traits
  const runs = within(starts, spanSeconds)
  const period = starts.periodSeconds ?? 0
  const lane = laneOf(ttlSeconds)
  const ms = period * 1000
  const pattern = {
    kind: 'period' as const,
    before: starts.before.map((seconds) => start + seconds * 1000),
    min: ms,
    median: ms,
    max: ms,
    isSteady: true,
  }
  const rhythm = rhythmWords(pattern, { count: runs, firstMs: 0, start })
  const counted = `${many(runs, 'run')} in ${spanWords(spanSeconds * 1000)}`
  const why = groundWords(groundOf(subject, 'restored', starts.by), lane)
  return {
    kind: 'period',
    runs,
    firstSeconds: 0,
    periodSeconds: period,
    cause: 'restored',
    rules: rulesOf([restoresAbsent.rule, ...(waiter === undefined ? [] : [waiter.rule])]),
    short: `every ${spanWords(ms)}`,
    sentence: `${rhythm}: ${counted}, because ${why}`,
  }
}

/** What a hook runs on is an occasion that people make, so it is not counted. */
export function hookForecast(subject: Subject, hook: Hook, options: ForecastOptions): Forecast {
  const { onlyOn, phases, runsOn } = hook
  const rules = rulesOf([subject.traits.restoresAbsent.rule])
  if (onlyOn === undefined || phases.includes('test')) {
    const why = groundWords(groundOf(subject, 'hook'), laneOf())
    return {
      kind: 'occasions',
      cause: 'hook',
      rules,
      again: runsOn,
      short: eachWords(runsOn),
      sentence: `runs at ${runsOn}, because ${why}`,
    }
  }
  if (phases.some((phase) => phase.endsWith('-install'))) {
    return {
      kind: 'once',
      runs: 1,
      firstSeconds: 0,
      cause: 'hook',
      rules,
      again: onlyOn,
      short: 'once',
      sentence: `runs once, now: it is a hook, and runs only at ${onlyOn}`,
    }
  }
  const never = neverForecast(`it is a hook, and runs only at ${onlyOn}`, rules, options)
  return { ...never, again: onlyOn }
}

/** Deleted and created again on an occasion, changed or not. */
export function replacedForecast(subject: Subject, occasion: string): Forecast {
  return {
    kind: 'occasions',
    cause: 'replaced',
    rules: rulesOf([subject.traits.restoresAbsent.rule]),
    again: occasion,
    short: eachWords(occasion),
    sentence: `runs at ${occasion}, because ${groundWords(groundOf(subject, 'replaced'), laneOf())}`,
  }
}

/** `every full sync` is `each sync`; an install comes once, so the upgrade is what counts. */
function eachWords(occasion: string): string {
  const last = occasion.replace(/^every (?:full )?/, '').split(' and ')
  return `each ${last.find((one) => one !== 'install') ?? last[0] ?? 'time'}`
}

function groundOf(subject: Subject, cause: RunCause, trigger?: Ground['trigger']): Ground {
  return {
    cause,
    actor: ACTORS[subject.engine.id],
    trigger,
    absence: cause === 'restored' ? 'expired' : 'there',
  }
}

function laneOf(ttlSeconds?: number): Lane {
  return {
    name: '',
    kind: 'Job',
    lives: [],
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
  }
}

/** `F-15, F-16` are two. */
function rulesOf(written: readonly string[]): readonly string[] {
  return [...new Set(written.flatMap((text) => text.split(/,\s*/)))]
}
