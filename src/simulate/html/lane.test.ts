import { describe, expect, it } from 'vitest'
import {
  HOUR,
  START,
  everyMinute,
  hookRuns,
  life,
  ttlLoop,
} from '../../../test/simulate/histories.ts'
import type { History, Lane } from '../history/history.ts'
import { laneClusters, laneSvg, type Canvas } from './lane.ts'
import { wholeView } from './scale.ts'

function canvasOf({ start, end }: History, width: number = 1000): Canvas {
  return { view: wholeView({ start, end }), width, start, end }
}

function firstLane({ lanes }: History): Lane {
  const [lane] = lanes
  if (lane === undefined) throw new Error('no lane')
  return lane
}

describe('a lane', () => {
  it('has a mark for each run, a line for each life, and a stroke for each deletion', () => {
    const history = ttlLoop()
    const svg = laneSvg(firstLane(history), 0, canvasOf(history))
    expect(svg.match(/class="mark o-complete/g)).toHaveLength(7)
    expect(svg.match(/class="life"/g)).toHaveLength(7)
    expect(svg.match(/class="life end"/g)).toHaveLength(6)
  })

  it('says the outcome by a sign and the cause by a letter', () => {
    const svg = laneSvg(firstLane(hookRuns()), 0, canvasOf(hookRuns()))
    expect(svg).toContain('href="#o-failed"')
    expect(svg).toContain('>H</text>')
  })

  it('tells a reader of the screen what each mark is', () => {
    const svg = laneSvg(firstLane(ttlLoop()), 0, canvasOf(ttlLoop()))
    expect(svg).toContain(
      'aria-label="ledger/rotate-bucket-keys, 2 of 7: complete, restored, started Tue 7 Jan 2025, 01:00 UTC (+1d 1h), took 5m"',
    )
  })

  it('becomes one mark with a number where 10,080 runs stand close, and stays small', () => {
    const history = everyMinute()
    const svg = laneSvg(firstLane(history), 0, canvasOf(history))
    expect(svg).toContain('>10,080 runs</text>')
    expect(svg.match(/bin o-failed/g)).toHaveLength(10)
    expect(svg.length).toBeLessThan(20_000)
  })

  it('says of a crowd that is partly in sight how much of it is', () => {
    const history = everyMinute()
    const view = { from: START + 10 * HOUR, to: START + 34 * HOUR }
    const svg = laneSvg(firstLane(history), 0, { ...canvasOf(history), view })
    expect(svg).toMatch(/>1,4\d\d of 10,080 runs<\/text>/)
  })

  it('draws a run that began before the view and reaches into it', () => {
    const long = life('a/b', 0, { took: 100 * HOUR })
    const lane: Lane = { name: 'a/b', kind: 'Job', lives: [long] }
    const view = { from: START + 50 * HOUR, to: START + 60 * HOUR }
    expect(laneClusters(lane, { view, width: 1000 })).toHaveLength(1)
  })

  it('leaves out a run that was deleted before the view begins', () => {
    const lane: Lane = {
      name: 'a/b',
      kind: 'Job',
      lives: [life('a/b', 0, { deletedAt: START + HOUR })],
    }
    const view = { from: START + 50 * HOUR, to: START + 60 * HOUR }
    expect(laneClusters(lane, { view, width: 1000 })).toHaveLength(0)
  })

  it('says why it is empty', () => {
    const canvas = canvasOf(ttlLoop())
    const empty: Lane = { name: 'a/b', kind: 'Job', lives: [] }
    expect(laneSvg(empty, 0, canvas)).toContain('does not run in this span')
    expect(laneSvg({ ...empty, unknown: 'a <b> name' }, 0, canvas)).toContain(
      'cannot be told: a &lt;b&gt; name',
    )
  })
})
