import type { Instant } from '../../cluster/time.ts'
import type { Happening, History, JobLife, Lane, Step } from '../history/history.ts'
import { escapeHtml, pageHref } from './escape.ts'
import { count, dateTime, duration, grouped, offset } from './format.ts'
import { placeOf } from './lane.ts'
import { causeMark, outcomeMark, workedFor } from './marks.ts'

/** What a card needs beside the thing that it is about. */
export interface CardContext {
  readonly history: History
  /** Address of the documents, with the folder `engines` in it. */
  readonly docs: string
}

/** Everything about one run: times, outcome, image, attempts, and why it was. */
export function runCard(lane: Lane, at: number, context: CardContext): string {
  const life = lane.lives[at]
  if (life === undefined) return ''
  const { start } = context.history
  const cause = causeMark(life.cause)
  const outcome = outcomeMark(life.outcome)
  return (
    `<p class="kicker">${ordinalText(lane, at)}</p>` +
    `<h3>${escapeHtml(`${life.namespace}/${life.name}`)}</h3>` +
    `<p class="tags"><span class="tag o-${outcome.id}">${signOf(outcome.id)}${outcome.name}</span>` +
    `<span class="tag c-${cause.id}"><b>${cause.letter}</b>${cause.name}</span><span class="hint">${cause.meaning}</span></p>` +
    `<dl>${facts(life, lane, start)
      .map(([term, text]) => `<dt>${term}</dt><dd>${text}</dd>`)
      .join('')}</dl>` +
    chainHtml('Why it was created', life.created, context) +
    (life.deleted === undefined ? '' : chainHtml('Why it was deleted', life.deleted, context)) +
    (life.created.length === 0
      ? '<p class="hint">The page would be too large with the cause of every run: <code>semel simulate --why JOB@TIME</code> prints this one.</p>'
      : '')
  )
}

function ordinalText({ kind, lives }: Lane, at: number): string {
  return `${kind === 'CronJob' ? 'Job of a CronJob' : 'Job'}, ${grouped(at + 1)} of ${grouped(lives.length)}`
}

function facts(
  life: JobLife,
  { contract }: Lane,
  start: Instant,
): readonly (readonly [string, string])[] {
  const when = (at: Instant): string =>
    `<span class="time">${dateTime(at)}</span> <span class="offset">${offset(at, start)}</span>`
  const { createdAt, startedAt, endedAt, deletedAt, image, pods, cronJob } = life
  const worked = workedFor(life)
  const list: (readonly [string, string])[] = [['created', when(createdAt)]]
  if (startedAt === undefined)
    list.push([
      'started',
      life.held === undefined ? 'never: it has no pod' : `never: it ${escapeHtml(life.held)}`,
    ])
  else if (startedAt !== createdAt) list.push(['started', when(startedAt)])
  if (endedAt !== undefined) list.push(['ended', when(endedAt)])
  if (worked !== undefined) list.push(['took', duration(worked)])
  if (deletedAt !== undefined) {
    const kept = endedAt === undefined ? 0 : deletedAt - endedAt
    list.push(['deleted', when(deletedAt) + (kept > 0 ? `, ${duration(kept)} after its end` : '')])
  }
  if (pods > 0) list.push(['attempts', attemptsText(life)])
  if (image !== '') list.push(['image', `<code>${escapeHtml(image)}</code>`])
  if (cronJob !== undefined) list.push(['CronJob', `<code>${escapeHtml(cronJob)}</code>`])
  if (contract !== undefined) list.push(['contract', escapeHtml(contract)])
  return list
}

function attemptsText({ pods, executions = pods }: JobLife): string {
  return executions === pods
    ? count(pods, 'pod')
    : `${count(pods, 'pod')}, the work begun ${count(executions, 'time')}`
}

function chainHtml(title: string, steps: readonly Step[], context: CardContext): string {
  if (steps.length === 0) return ''
  const items = steps.map((step) => `<li class="step ${step.role}">${stepHtml(step, context)}</li>`)
  return `<h4>${title}</h4><ol class="chain">${items.join('')}</ol>`
}

function stepHtml(step: Step, { history, docs }: CardContext): string {
  const { role, actor, words, at } = step
  return (
    `<span class="role">${role}</span><span class="words">${escapeHtml(words)}</span>` +
    `<span class="by">${escapeHtml(actor)}, ${offset(at, history.start)}${ruleHtml(step, docs)}</span>`
  )
}

/** The rule's id, as a link where its page has a plain address. */
export function ruleHtml(
  { rule, page, unconfirmed }: Pick<Step, 'rule' | 'page' | 'unconfirmed'>,
  docs: string,
): string {
  if (rule === undefined) return ''
  const href = page === undefined ? undefined : pageHref(docs, page)
  const name = `rule ${escapeHtml(rule)}`
  const link =
    href === undefined
      ? `<span class="rule">${name}</span>`
      : `<a class="rule" href="${escapeHtml(href)}" rel="noreferrer">${name}</a>`
  const doubt =
    unconfirmed === true
      ? ' <span class="unconfirmed" title="read from source or documents, not seen in a recording">unconfirmed</span>'
      : ''
  return ` · ${link}${doubt}`
}

/** Several runs that stand too close. */
export function crowdCard(lane: Lane, first: number, last: number, context: CardContext): string {
  const lives = lane.lives.slice(first, last + 1)
  const { start } = context.history
  const [from, to] = [lives[0], lives.at(-1)]
  if (from === undefined || to === undefined) return ''
  const gap = lives.length < 2 ? 0 : (placeOf(to) - placeOf(from)) / (lives.length - 1)
  return (
    `<p class="kicker">${count(lives.length, 'run')} that stand close together</p>` +
    `<h3>${escapeHtml(lane.name)}</h3><p class="tags">${tallies(lives)}</p><dl>` +
    `<dt>first</dt><dd>${dateTime(placeOf(from))} <span class="offset">${offset(placeOf(from), start)}</span></dd>` +
    `<dt>last</dt><dd>${dateTime(placeOf(to))} <span class="offset">${offset(placeOf(to), start)}</span></dd>` +
    `<dt>on average</dt><dd>one every ${duration(gap)}</dd></dl>` +
    '<p class="hint"><kbd>Enter</kbd> or a click shows them apart.</p>'
  )
}

function tallies(lives: readonly JobLife[]): string {
  const byOutcome = new Map<string, number>()
  for (const { outcome } of lives) byOutcome.set(outcome, (byOutcome.get(outcome) ?? 0) + 1)
  const byCause = new Map<string, number>()
  for (const { cause } of lives) byCause.set(cause, (byCause.get(cause) ?? 0) + 1)
  return [
    ...[...byOutcome].map(([id, number]) => {
      const { name } = outcomeMark(id as JobLife['outcome'])
      return `<span class="tag o-${id}">${signOf(id)}${grouped(number)} ${name}</span>`
    }),
    ...[...byCause].map(([id, number]) => {
      const { letter, name } = causeMark(id as JobLife['cause'])
      return `<span class="tag c-${id}"><b>${letter}</b>${grouped(number)} ${name}</span>`
    }),
  ].join('')
}

/** One event, or the first few of several. */
export function eventCard(
  row: string,
  happenings: readonly Happening[],
  { history, docs }: CardContext,
): string {
  const shown = happenings.slice(0, 6)
  const items = shown.map((one) => happeningHtml(one, history, docs))
  const rest = happenings.length - shown.length
  return (
    `<p class="kicker">${count(happenings.length, 'event')}</p><h3>${escapeHtml(row)}</h3>` +
    `<ol class="chain">${items.join('')}</ol>` +
    (rest > 0 ? `<p class="hint">and ${rest} more: zoom in to see them apart</p>` : '')
  )
}

function happeningHtml(one: Happening, { start }: History, docs: string): string {
  const { at, until, kind, words, object } = one
  const lasted = until === undefined ? '' : `, for ${duration(until - at)}`
  const about = object === undefined ? '' : ` · ${escapeHtml(object)}`
  return (
    `<li class="step"><span class="role">${kind}</span><span class="words">${escapeHtml(words)}</span>` +
    `<span class="by">${dateTime(at)}, ${offset(at, start)}${lasted}${about}${ruleHtml(one, docs)}</span></li>`
  )
}

function signOf(id: string): string {
  return `<svg class="sign" width="14" height="14" viewBox="0 0 18 18" aria-hidden="true"><use href="#o-${id}"/></svg>`
}
