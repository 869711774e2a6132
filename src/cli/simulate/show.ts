import { createCel } from '../../adapters/cel.ts'
import { Fault } from '../../core/faults.ts'
import type { Declared } from '../../simulate/history/history-of.ts'
import { historyOf } from '../../simulate/history/history-of.ts'
import type { History, Warning } from '../../simulate/history/history.ts'
import { rulePage } from '../../simulate/history/rule-pages.ts'
import { renderHtml } from '../../simulate/html/index.ts'
import { distributionOf, sampleOf, type Distribution } from '../../simulate/tell/distribution.ts'
import { sentenceTeller } from '../../simulate/tell/sentence.ts'
import { whoIs } from '../../simulate/tell/who.ts'
import { whyNotOf } from '../../simulate/tell/why-not.ts'
import { whyOf } from '../../simulate/tell/why.ts'
import { Play } from '../../simulate/world/play.ts'
import { DEFAULT_BUDGET, type World } from '../../simulate/world/world.ts'
import type { Io } from '../io.ts'
import { writeOutputs } from '../output.ts'
import { paintFor } from '../paint.ts'
import { problemOf } from '../problem.ts'
import { Progress } from '../progress.ts'
import { Tell } from '../stamp/tell.ts'
import { VERSION } from '../version.ts'
import { distributionText } from './distribution-text.ts'
import { drillText, playDrills, type PlayedDrill } from './drills.ts'
import { factsOf } from './facts.ts'
import { distributionJson, historyJson, historyObject } from './history-json.ts'
import { historyText } from './history-text.ts'
import type { SimulateOptions } from './options.ts'
import { wantsAscii, type TimelineContext } from './timeline.ts'
import { whyNotText, whyText } from './why-text.ts'

/** Something that can be played: a variant of a scenario, a cluster of a repository. */
export interface Playable {
  /** Empty where there is only one. */
  readonly title: string
  readonly world: World
  readonly declared?: readonly Declared[]
  readonly warnings?: readonly Warning[]
  /** Left out: it is still to be played. */
  readonly history?: History
}

interface Shown {
  readonly playable: Playable
  readonly history: History
  readonly drills: readonly PlayedDrill[]
  readonly distribution?: Distribution
}

/** Plays all, and writes what was asked for. 1: something runs without bound. */
export function show(playables: readonly Playable[], options: SimulateOptions, io: Io): number {
  const progress = new Progress(io)
  const shown = playables.map((playable, at): Shown => {
    const name = playable.title === '' ? `${at + 1} of ${playables.length}` : playable.title
    progress.say(`playing ${name}`)
    return playOne(playable, options, progress)
  })
  progress.end()
  const context = contextOf(io.stdout, options, io)
  if (options.why !== undefined || options.whyNot !== undefined) {
    io.stdout.write(answer(shown, options, context))
    return 0
  }
  const faults = writeOutputs(shown, options.outputs, {
    cwd: io.cwd,
    formats: { text, json, html },
    stdout: (written) => io.stdout.write(written),
    stdoutContext: context,
    fileContext: { ...context, paint: paintFor(io.stdout, 'never', io.env), width: FILE_WIDTH },
  })
  new Tell(io, options.color).problems(faults.map(problemOf))
  if (faults.length > 0) return 2
  const isUnbound = shown.some(({ history }) =>
    history.warnings.some(({ id }) => id === 'runs-without-bound'),
  )
  return isUnbound ? 1 : 0
}

const FILE_WIDTH = 100

function contextOf(stream: Io['stdout'], options: SimulateOptions, io: Io): TimelineContext {
  const columns = stream.columns ?? Number(io.env['COLUMNS'] ?? '')
  return {
    paint: paintFor(stream, options.color, io.env),
    width: columns >= 40 ? columns : FILE_WIDTH,
    ascii: wantsAscii(io.env),
  }
}

function playOne(playable: Playable, options: SimulateOptions, progress: Progress): Shown {
  const history = playable.history ?? playWorld(playable.world, playable, options, progress)
  const drills = playDrills(playable, history, options)
  if (options.plays === 1 || options.timing.mode === 'idealised') {
    return { playable, history, drills }
  }
  const { seed } = options.timing
  const samples = [{ ...sampleOf(history), seed }]
  for (let nth = 1; nth < options.plays; nth += 1) {
    progress.say(`play ${nth + 1} of ${options.plays}`)
    const timing = { mode: 'realistic', seed: seed + nth } as const
    const own = playWorld(playable.world, playable, { ...options, timing })
    samples.push({ ...sampleOf(own), seed: seed + nth })
  }
  return { playable, history, drills, distribution: distributionOf(samples) }
}

/** For the progress of a long play. */
const PARTS = 50

/** One play from its beginning to its end. */
export function playWorld(
  world: World,
  { declared, warnings }: Playable,
  { timing, maxRuns }: Pick<SimulateOptions, 'timing' | 'maxRuns'>,
  progress?: Progress,
): History {
  const budget = { ...DEFAULT_BUDGET, livesOfLane: maxRuns }
  const play = new Play(world, { timing, budget }, { cel: createCel() })
  const span = world.end - world.start
  const parts = progress === undefined ? 0 : PARTS
  for (let part = 1; part <= parts; part += 1) {
    progress?.say(`played ${Math.round(((part - 1) * 100) / PARTS)} % of the time`)
    play.runTo(world.start + Math.floor((span * part) / PARTS))
  }
  play.finish()
  return historyOf(play, {
    timing,
    rules: rulePage,
    titleOf: (actor) => whoIs(actor).name,
    ...(declared === undefined ? {} : { declared }),
    ...(warnings === undefined ? {} : { warnings }),
  })
}

/** The answer of the first history that knows the Job. */
function answer(
  shown: readonly Shown[],
  options: SimulateOptions,
  context: TimelineContext,
): string {
  let failure: unknown
  for (const { playable, history } of shown) {
    try {
      const { why, whyNot } = options
      const parts = [
        ...(why === undefined ? [] : [whyText(whyOf(history, why), history, context)]),
        ...(whyNot === undefined
          ? []
          : [whyNotText(whyNotOf(history, whyNot, factsOf(playable, options)), history, context)]),
      ]
      return parts.join('\n')
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      failure ??= error
    }
  }
  throw failure
}

function text(shown: readonly Shown[], context: TimelineContext): string {
  return shown
    .map(({ playable, history, drills, distribution }) => {
      const title =
        playable.title === '' || shown.length === 1
          ? []
          : [context.paint.strong(`== ${playable.title}`), '']
      const body =
        distribution === undefined
          ? historyText(history, context)
          : distributionText(distribution, context)
      return [...title, body, ...drills.map((drill) => drillText(drill, history, context))].join(
        '\n',
      )
    })
    .join('\n')
}

function json(shown: readonly Shown[]): string {
  const [only, ...more] = shown
  if (only !== undefined && more.length === 0 && only.drills.length === 0) {
    return only.distribution === undefined
      ? historyJson(only.history, { version: VERSION })
      : distributionJson(only.distribution, { version: VERSION })
  }
  const simulations = shown.map(({ playable, history, drills, distribution }) => ({
    ...historyObject(history, { version: VERSION, title: playable.title }),
    ...(distribution === undefined
      ? {}
      : {
          distribution: JSON.parse(distributionJson(distribution, { version: VERSION })) as unknown,
        }),
    ...(drills.length === 0 ? {} : { drills: drills.map(({ told }) => told) }),
  }))
  return `${JSON.stringify({ format: 'semel.dev/simulations/v1', simulations }, undefined, 2)}\n`
}

function html(shown: readonly Shown[]): string {
  const histories = shown.flatMap(({ playable, history, drills }) => [
    { title: playable.title, history },
    ...drills.map(({ drill, history: drilled }) => ({
      title: [playable.title, drill.text].filter((part) => part !== '').join(', '),
      history: drilled,
    })),
  ])
  return renderHtml(histories, { sentences: sentenceTeller(), version: `semel ${VERSION}` })
}
