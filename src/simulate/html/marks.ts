import type { HappeningKind, JobLife, Outcome, RunCause } from '../history/history.ts'

/**
 * What stands for what. A colour is never alone: each outcome has a sign, each cause a letter, each
 * kind of event a shape (symbols.ts draws them, styles.ts colours them by the same ids).
 */
export interface Mark<Id extends string> {
  readonly id: Id
  readonly name: string
  readonly meaning: string
}

export const OUTCOMES: readonly Mark<Outcome>[] = [
  { id: 'complete', name: 'complete', meaning: 'it ended well' },
  { id: 'failed', name: 'failed', meaning: 'it ended as failed' },
  { id: 'running', name: 'running', meaning: 'it still ran at the end of the span' },
  { id: 'gone', name: 'gone', meaning: 'it was deleted before it ended' },
  { id: 'waiting', name: 'no pod', meaning: 'the Job exists and no pod was started' },
]

export const CAUSES: readonly (Mark<RunCause> & { readonly letter: string })[] = [
  { id: 'first', letter: 'F', name: 'first', meaning: 'nothing of that name was there before' },
  { id: 'changed', letter: 'C', name: 'changed', meaning: 'the declared content is another one' },
  { id: 'restored', letter: 'R', name: 'restored', meaning: 'declared, unchanged and absent' },
  { id: 'replaced', letter: 'P', name: 'replaced', meaning: 'deleted unchanged to be made again' },
  { id: 'retried', letter: 'T', name: 'retried', meaning: 'the one before had failed' },
  { id: 'hook', letter: 'H', name: 'hook', meaning: 'the engine runs it on every such occasion' },
  { id: 'schedule', letter: 'S', name: 'schedule', meaning: 'a tick of its CronJob' },
  { id: 'manual', letter: 'M', name: 'manual', meaning: 'a person created it' },
]

export const EVENTS: readonly Mark<HappeningKind>[] = [
  { id: 'commit', name: 'commit', meaning: 'other files in Git' },
  { id: 'sync', name: 'sync', meaning: 'an engine synced' },
  { id: 'round', name: 'round', meaning: 'an engine looked and compared' },
  { id: 'request', name: 'request', meaning: 'a person asked for something' },
  { id: 'created', name: 'created', meaning: 'an object was created' },
  { id: 'deleted', name: 'deleted', meaning: 'an object was deleted' },
  { id: 'pruned', name: 'pruned', meaning: 'no longer declared, so deleted' },
  { id: 'refused', name: 'refused', meaning: 'the API server said no' },
  { id: 'failed', name: 'failed', meaning: 'an engine gave up or reported an error' },
  { id: 'drift', name: 'drift', meaning: 'somebody changed an object by hand' },
  { id: 'outage', name: 'outage', meaning: 'something was down' },
  { id: 'note', name: 'note', meaning: 'anything else' },
]

export function outcomeMark(outcome: Outcome): Mark<Outcome> {
  return OUTCOMES.find(({ id }) => id === outcome) ?? { id: outcome, name: outcome, meaning: '' }
}

export function causeMark(cause: RunCause): Mark<RunCause> & { readonly letter: string } {
  return (
    CAUSES.find(({ id }) => id === cause) ?? { id: cause, letter: '?', name: cause, meaning: '' }
  )
}

/** What must stay visible where many marks become one. */
export function strengthOfOutcome(outcome: Outcome): number {
  return ['complete', 'waiting', 'running', 'gone', 'failed'].indexOf(outcome)
}

export function strengthOfCause(cause: RunCause): number {
  return [
    'schedule',
    'first',
    'hook',
    'manual',
    'changed',
    'retried',
    'replaced',
    'restored',
  ].indexOf(cause)
}

export function strengthOfEvent(kind: HappeningKind): number {
  const order = 'round note created deleted sync request commit drift pruned outage failed refused'
  return order.split(' ').indexOf(kind)
}

/** How long it worked, or undefined: it never ran, or nobody saw its end. */
export function workedFor({ startedAt, endedAt, deletedAt, outcome }: JobLife): number | undefined {
  if (startedAt === undefined) return undefined
  const until = endedAt ?? (outcome === 'gone' ? deletedAt : undefined)
  return until === undefined ? undefined : until - startedAt
}
