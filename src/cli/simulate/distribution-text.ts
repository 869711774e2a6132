import { distributionSentence, type Distribution } from '../../simulate/tell/distribution.ts'
import { many, spanWords } from '../../simulate/tell/spans.ts'
import { printable, wrap } from '../words.ts'
import type { TimelineContext } from './timeline.ts'

const READING = 100

/** How far the answers of many plays lie apart, Job by Job. */
export function distributionText(all: Distribution, { paint, width }: TimelineContext): string {
  const seeds = all.seeds === undefined ? '' : `, seeds ${all.seeds.first} to ${all.seeds.last}`
  const head = `${spanWords(all.end - all.start)}, realistic timing, ${many(all.plays, 'play')}${seeds}`
  const rows = all.lanes.flatMap((lane) => [
    paint.strong(printable(lane.name)),
    ...wrap(printable(distributionSentence(lane, all)), Math.min(width, READING) - 4).map(
      (row) => `  ${row}`,
    ),
    ...(lane.counts.length < 2
      ? []
      : lane.counts.map(({ runs, plays }) =>
          paint.faint(`    ${many(runs, 'run')} in ${many(plays, 'play')}`),
        )),
  ])
  return `${[paint.strong(head), '', ...rows].join('\n')}\n`
}
