import { objectAt, stringAt } from '../../core/json.ts'
import type { Instant } from '../../cluster/time.ts'
import type { Happening, History, JobLife, Lane, Run } from '../history/history.ts'
import { skippedTicks } from './cron-sentence.ts'
import { ticksWithin } from './cron-words.ts'
import type { Facts, FactsAt } from './facts.ts'
import { applierOf, lastUntil, lookUp, objectOf, type LookUp } from './look-up.ts'
import { neverWords } from './never.ts'
import { groundOf, groundWords, ttlOf } from './reason.ts'
import { offsetText, spanWords } from './spans.ts'
import { targetOf } from './target.ts'
import { whoIs } from './who.ts'

/** The answer to `--why-not JOB@TIME`: why no run was going then. */
export interface WhyNot {
  readonly lane: Lane
  readonly at: Instant
  /** A run was going all the same: its number. */
  readonly running?: { readonly run: Run; readonly nth: number }
  /** What there was of the Job then. */
  readonly state: string
  /** What its carrier did last, and did or will do next. */
  readonly last?: { readonly at: Instant; readonly words: string }
  readonly next?: { readonly at: Instant; readonly words: string }
  /** What stood in the way. */
  readonly blocks: readonly string[]
  /** The first run after that time, and why it came. */
  readonly nextRun?: { readonly run: Run; readonly words: string }
  /** What would have to be different. */
  readonly different: readonly string[]
}

export function whyNotOf(history: History, target: string, facts?: Facts): WhyNot {
  const { lane, runs, moment } = targetOf(history, target)
  const at = moment.kind === 'at' ? moment.at : (runs[moment.nth - 1]?.startedAt ?? history.start)
  const seen = lookUp(history)
  const asked: Asked = { lane, at, runs, seen, facts: facts?.factsAt(at, lane) ?? {} }
  const index = runs.findLastIndex(
    (run) => run.startedAt <= at && at < (run.endedAt ?? run.deletedAt ?? history.end),
  )
  const run = runs[index]
  const nextRun = runs.find(({ startedAt }) => startedAt > at)
  return {
    lane,
    at,
    ...(run === undefined ? {} : { running: { run, nth: index + 1 } }),
    state: stateOf(asked),
    ...lastAndNext(asked),
    blocks: blocksOf(asked),
    ...(nextRun === undefined
      ? {}
      : { nextRun: { run: nextRun, words: groundWords(groundOf(nextRun, lane), lane) } }),
    different: run === undefined ? differentFrom(asked) : [],
  }
}

interface Asked {
  readonly lane: Lane
  readonly at: Instant
  readonly runs: readonly Run[]
  readonly seen: LookUp
  readonly facts: FactsAt
}

/** The Job object that existed then: of several the latest. */
function lifeAt({ lane, at }: Asked): JobLife | undefined {
  return lane.lives.findLast(
    ({ createdAt, deletedAt }) => createdAt <= at && at < (deletedAt ?? Infinity),
  )
}

function stateOf(asked: Asked): string {
  const { lane, at, seen, facts } = asked
  const { start } = seen.history
  const since = (instant: Instant): string => `since ${offsetText(instant - start)}`
  if (lane.unknown !== undefined) return `nothing is known of it: ${lane.unknown}`
  if (lane.kind === 'CronJob') return cronState(asked)
  const life = lifeAt(asked)
  if (life === undefined) return absentWords(asked)
  const job = `Job ${life.namespace}/${life.name}`
  if (life.endedAt !== undefined && life.endedAt <= at) {
    const word = life.outcome === 'failed' ? 'failed' : 'complete'
    const ttlSeconds = ttlOf(lane)
    const kept =
      ttlSeconds === undefined
        ? 'without a TTL it stays'
        : `its TTL of ${spanWords(ttlSeconds * 1000)} ends at ` +
          offsetText(life.endedAt + ttlSeconds * 1000 - start)
    return `${job} was ${word} ${since(life.endedAt)}: a finished Job never runs again, and ${kept}`
  }
  if (life.startedAt !== undefined && life.startedAt <= at) {
    return `${job} was running ${since(life.startedAt)}`
  }
  const held = isSuspended(facts.object) ? 'is suspended (spec.suspend: true)' : life.held
  const why = held === undefined ? 'and had no pod' : `and had no pod: it ${held}`
  return `${job} was there ${since(life.createdAt)} ${why}`
}

function absentWords({ lane, at, seen }: Asked): string {
  const { start } = seen.history
  const before = lane.lives.findLast(({ deletedAt }) => deletedAt !== undefined && deletedAt <= at)
  if (before?.deletedAt === undefined) {
    return lane.lives.length === 0
      ? `there was no such Job: ${neverWords(lane, seen)}`
      : 'there was no such Job yet'
  }
  const last = before.deleted?.at(-1)
  const how = last === undefined ? '' : `: ${last.actor} ${last.words}`
  return `there was no such Job since ${offsetText(before.deletedAt - start)}${how}`
}

function cronState(asked: Asked): string {
  const { lane, at, seen, facts } = asked
  const { start } = seen.history
  if (isSuspended(facts.object)) return 'the CronJob was suspended (spec.suspend: true)'
  const before = ticksOf(lane, start, at + 1).at(-1)
  const skipped = skippedTicks(lane, seen).find((tick) => tick.at === before)
  if (before === undefined) return `no tick of ${scheduleOf(lane)} had come yet`
  const tick = `its last tick was at ${offsetText(before - start)}`
  if (skipped?.blockedBy !== undefined) {
    const { startedAt = before, endedAt } = skipped.blockedBy
    const until = endedAt === undefined ? 'and did not end' : `until ${offsetText(endedAt - start)}`
    return (
      `${tick} and started nothing: the run that began at ${offsetText(startedAt - start)} ` +
      `was going ${until}`
    )
  }
  if (skipped !== undefined) return `${tick} and started nothing, with no run in the way`
  const run = lane.lives.findLast(({ createdAt }) => createdAt <= at)
  const ended = run?.endedAt
  return ended === undefined || ended > at
    ? tick
    : `${tick}, and its run had ended at ${offsetText(ended - start)}`
}

function ticksOf({ schedule, timeZone }: Lane, from: Instant, until: Instant): readonly Instant[] {
  if (schedule === undefined) return []
  const given = { schedule, ...(timeZone === undefined ? {} : { timeZone }) }
  return ticksWithin(given, { from, until }) ?? []
}

function scheduleOf({ schedule }: Lane): string {
  return schedule === undefined ? 'its schedule' : `\`${schedule}\``
}

function lastAndNext({ lane, at, seen, facts }: Asked): Pick<WhyNot, 'last' | 'next'> {
  const own = seen.ofCarrier(lane)
  const index = lastUntil(own, at)
  const [last, next] = [own[index], own[index + 1]]
  const planned = facts.nextWake
  const told = (happening: Happening): { readonly at: Instant; readonly words: string } => ({
    at: happening.at,
    words: `${happening.row}: ${happening.words}`,
  })
  const isPlanned = planned !== undefined && (next === undefined || planned < next.at)
  if (isPlanned) {
    const words = `${applierOf(lane) ?? 'its engine'} looks again`
    return { ...(last === undefined ? {} : { last: told(last) }), next: { at: planned, words } }
  }
  return {
    ...(last === undefined ? {} : { last: told(last) }),
    ...(next === undefined ? {} : { next: told(next) }),
  }
}

function blocksOf(asked: Asked): readonly string[] {
  const { lane, at, seen, facts } = asked
  const { start } = seen.history
  const outages = seen
    .ofKind('outage')
    .filter((outage) => outage.at <= at && at < (outage.until ?? Infinity))
    .map(({ words, until }) =>
      until === undefined ? words : `${words} (until ${offsetText(until - start)})`,
    )
  const carrier = applierOf(lane) ?? 'its carrier'
  return [
    ...outages,
    ...(facts.down ?? []).map((name) => `the process of ${name} was down`),
    ...(isSuspended(facts.carrier) ? [`${carrier} was suspended (spec.suspend: true)`] : []),
    ...refusals(asked).map(
      (happening) => `${happening.words} (at ${offsetText(happening.at - start)})`,
    ),
  ]
}

/** What the last round before that time could not do, for this Job or for the whole carrier. */
function refusals({ lane, at, seen }: Asked): readonly Happening[] {
  const isBad = ({ kind }: Happening): boolean => kind === 'refused' || kind === 'failed'
  const own = seen.ofCarrier(lane)
  const upTo = own.slice(0, lastUntil(own, at) + 1)
  const round = upTo.findLastIndex(({ kind }) => kind === 'round')
  const ofRound = upTo.slice(Math.max(0, round)).filter(isBad)
  if (ofRound.length > 0) return ofRound.slice(0, MOST_REFUSALS)
  const life = lane.lives.findLast(({ createdAt }) => createdAt <= at)
  const named = life === undefined ? objectOf(lane) : `Job ${life.namespace}/${life.name}`
  const about = seen.ofObject(named)
  const last = about[lastUntil(about, at)]
  return last !== undefined && isBad(last) ? [last] : []
}

const MOST_REFUSALS = 3

function differentFrom(asked: Asked): readonly string[] {
  const { lane, at, runs, seen, facts } = asked
  const { start, end } = seen.history
  if (lane.kind === 'CronJob') {
    const next = ticksOf(lane, at + 1, end)[0]
    const name = lane.name.slice(lane.name.indexOf('/') + 1)
    const namespace = lane.name.slice(0, lane.name.indexOf('/'))
    return [
      ...(isSuspended(facts.object) ? ['set spec.suspend of the CronJob to false'] : []),
      ...(next === undefined ? [] : [`wait for its next tick at ${offsetText(next - start)}`]),
      `start one by hand: kubectl create job ${name}-by-hand --from=cronjob/${name} -n ${namespace}`,
    ]
  }
  const life = lifeAt(asked)
  const known = life ?? lane.lives.findLast(({ createdAt }) => createdAt <= at) ?? lane.lives[0]
  const actor = known?.created.at(-1)?.actor
  const who = actor === undefined ? undefined : whoIs(actor)
  const ask = askWords(lane, who?.ask)
  if (life !== undefined && life.startedAt === undefined) {
    return isSuspended(facts.object)
      ? ['set spec.suspend of the Job to false']
      : ['take away what keeps its pod from being created']
  }
  if (known?.cause === 'hook' && who !== undefined) {
    return [`a ${who.occasion} runs it again${ask}`]
  }
  const restores = runs.some(({ cause }) => cause === 'restored')
  if (life !== undefined) {
    return [
      'another content under another name, for example with the hash of its content in the name',
      restores
        ? `its deletion: ${who?.name ?? 'its engine'} creates again what is declared and absent`
        : 'its deletion, if its engine creates again what is declared and absent',
    ]
  }
  if (lane.lives.length === 0) return ['its carrier would have to create it: see above']
  return [`a round of ${who?.name ?? 'its engine'} in which it is declared creates it${ask}`]
}

/** ` (flux reconcile kustomization shop -n flux-system)`, where there is such a command. */
function askWords({ appliedBy }: Lane, command: string | undefined): string {
  const key = appliedBy?.split(' ').at(-1)
  if (command === undefined || key === undefined) return ''
  const [namespace = '', name = key] = key.includes('/') ? key.split('/') : ['', key]
  return ` (${command.replace('{namespace}', namespace).replace('{name}', name)})`
}

function isSuspended(object: FactsAt['object']): boolean {
  if (object === undefined) return false
  if (objectAt(object, ['spec'])?.['suspend'] === true) return true
  const annotations = objectAt(object, ['metadata', 'annotations'])
  return (
    stringAt(annotations, ['argocd.argoproj.io/skip-reconcile']) === 'true' ||
    stringAt(annotations, ['fluxcd.controlplane.io/reconcile']) === 'disabled' ||
    stringAt(annotations, ['kro.run/reconcile']) === 'suspended'
  )
}
