import type { Instant } from '../../cluster/time.ts'
import type { History, Step } from '../../simulate/history/history.ts'
import { applierOf } from '../../simulate/tell/look-up.ts'
import { offsetText, spanWords, wallTime } from '../../simulate/tell/spans.ts'
import type { WhyNot } from '../../simulate/tell/why-not.ts'
import type { Why, WhyRun } from '../../simulate/tell/why.ts'
import { pad, printable, widthOf, wrap } from '../words.ts'
import type { TimelineContext } from './timeline.ts'

/** A cause chain for a terminal: each link with its time, its rule and the rule's page. */
export function whyText(why: Why, history: History, context: TimelineContext): string {
  if (why.kind === 'never') {
    const { lane, words } = why
    const head = lane.unknown === undefined ? 'never runs' : 'how often it runs cannot be told'
    return lines([
      context.paint.strong(printable(lane.name)),
      ...prose(`${head}: ${words}`, context),
    ])
  }
  const { lane, run, nth, of, inexact, beside, inShort, chain, after } = why
  const { paint } = context
  const applier = applierOf(lane)
  return lines([
    paint.strong(`${printable(lane.name)}, run #${nth} of ${of}`),
    ...(inexact === undefined ? [] : prose(`Not exact: ${inexact}`, context).map(paint.warning)),
    ...(beside.length === 0
      ? []
      : prose(`Also going then: ${beside.map((one) => `#${one}`).join(', ')}`, context)),
    ...prose(runWords(why, history), context),
    ...prose(`In short: ${inShort}`, context),
    '',
    paint.strong('Why it was created'),
    ...chainRows(chain, history, context),
    ...(after.length === 0
      ? []
      : ['', paint.strong('How it went away'), ...chainRows(after, history, context)]),
    '',
    ...(run.name === lane.name.slice(lane.name.indexOf('/') + 1)
      ? []
      : prose(`Its Job object is ${run.namespace}/${run.name}`, context)),
    ...prose(
      [
        ...(applier === undefined ? [] : [`applied by ${applier}`]),
        `image ${run.image}`,
        ...(lane.contract === undefined ? [] : [`contract ${lane.contract}`]),
      ].join('; '),
      context,
    ),
  ])
}

function runWords({ run }: WhyRun, { start, end }: History): string {
  const began = `began at ${offsetText(run.startedAt - start)} (${wallTime(run.startedAt)})`
  const { endedAt, outcome, pods } = run
  const tries = pods > 1 ? ` after ${pods} pods` : ''
  if (endedAt === undefined || endedAt >= end) return `${began}, and still runs at the end${tries}`
  const words = { failed: 'failed', gone: 'was deleted before it ended' } as const
  const how = outcome === 'failed' || outcome === 'gone' ? words[outcome] : 'completed'
  return `${began}, ${how} ${spanWords(endedAt - run.startedAt)} later${tries}`
}

function chainRows(
  steps: readonly Step[],
  { start }: History,
  context: TimelineContext,
): readonly string[] {
  const { paint, ascii } = context
  const times = steps.map(({ at }) => offsetText(at - start))
  const time = Math.max(0, ...times.map(widthOf))
  const before = INDENT + time + GAP + ROLE + GAP
  const room = Math.min(context.width, READING) - before
  const brush = { trigger: paint.info, state: paint.faint, effect: paint.good }
  return steps.flatMap((step, at) => {
    const head = `${' '.repeat(INDENT)}${(times[at] ?? '').padStart(time)}${' '.repeat(GAP)}`
    const words = wrap(printable(step.words), room)
    const source = wrap(sourceWords(step), room).map(paint.faint)
    const rest = [...words.slice(1), ...source].map((row) => ' '.repeat(before) + row)
    const role = brush[step.role](pad(step.role, ROLE))
    const arrow =
      at === steps.length - 1
        ? []
        : [' '.repeat(INDENT + time + GAP) + paint.faint(ascii ? '|' : '↓')]
    return [`${head}${role}${' '.repeat(GAP)}${words[0] ?? ''}`, ...rest, ...arrow]
  })
}

function sourceWords({ actor, rule, page, unconfirmed }: Step): string {
  const doubt = unconfirmed === true ? ' (no recording has shown it)' : ''
  const where = rule === undefined ? '' : `, rule ${rule}${doubt}`
  return `${actor}${where}${page === undefined ? '' : `: ${page}`}`
}

const INDENT = 2
const GAP = 2
const ROLE = 7
const READING = 110

/** Why nothing ran: what there was, what its engine did, what was in the way, and what to change. */
export function whyNotText(answer: WhyNot, history: History, context: TimelineContext): string {
  const { lane, at, running, state, last, next, blocks, nextRun, different } = answer
  const { paint } = context
  const when = (instant: Instant): string => offsetText(instant - history.start)
  const titled = `${printable(lane.name)} at ${when(at)} (${wallTime(at)})`
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['there was', state],
    ...blocks.map((block, nth) => [nth === 0 ? 'in the way' : '', block] as const),
    ['last work', last === undefined ? undefined : `${when(last.at)}: ${last.words}`],
    ['next work', next === undefined ? undefined : `${when(next.at)}: ${next.words}`],
    [
      'next run',
      nextRun === undefined
        ? `none until the end at ${when(history.end)}`
        : `${when(nextRun.run.startedAt)}: ${nextRun.words}`,
    ],
    ...different.map((one, nth) => [nth === 0 ? 'to change' : '', one] as const),
  ]
  const field = rows.flatMap(([name, words]) =>
    words === undefined ? [] : fieldRows(name, words, context),
  )
  const verdict =
    running === undefined
      ? paint.strong(`${titled}: no run`)
      : paint.strong(`${titled}: run #${running.nth} was going`)
  const hint =
    running === undefined
      ? []
      : ['', `\`semel simulate --why ${printable(lane.name)}@#${running.nth}\` says why`]
  return lines([verdict, ...field, ...hint])
}

function fieldRows(
  name: string,
  words: string,
  { paint, width }: TimelineContext,
): readonly string[] {
  const room = Math.min(width, READING) - INDENT - FIELD
  return wrap(printable(words), room).map(
    (row, at) => ' '.repeat(INDENT) + paint.faint(pad(at === 0 ? name : '', FIELD)) + row,
  )
}

const FIELD = 12

function prose(text: string, { width }: TimelineContext): readonly string[] {
  return wrap(printable(text), Math.min(width, READING) - INDENT).map((row) => `  ${row}`)
}

function lines(rows: readonly string[]): string {
  return `${rows
    .map((row) => row.trimEnd())
    .join('\n')
    .trimEnd()}\n`
}
