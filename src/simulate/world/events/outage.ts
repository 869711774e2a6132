import { controllerManager } from '../../../cluster/controllers/index.ts'
import type { Play } from '../play.ts'
import type { Effect } from './effect.ts'

/** Something cannot be reached, or a process is down, for a while. */
export const outage: Effect<'outage'> = {
  apply(play, { at, until, of, words }) {
    play.tell({ at, until, row: 'cluster', kind: 'outage', words })
    if (of === 'api-server') {
      play.downUntil(until)
      return
    }
    if (of === 'sources' || of === 'git') {
      for (const stage of play.stages) stage.sources?.(play.cluster, false)
      play.later(until, () => {
        for (const stage of play.stages) stage.sources?.(play.cluster, true)
      })
      return
    }
    // The kubelet knows of the registry's outages from the beginning.
    if (of === 'registry') return
    const names = processesOf(play, of)
    for (const name of names) play.cluster.stop(name)
    play.later(until, () => {
      for (const name of names) play.cluster.start(name)
    })
  },
}

/** A process ends and is there again at once. */
export const restart: Effect<'restart'> = {
  apply(play, { at, of, words }) {
    play.tell({ at, row: 'cluster', kind: 'note', words })
    for (const name of processesOf(play, of)) {
      play.cluster.stop(name)
      play.cluster.start(name)
    }
  },
}

/** The actors that a word of an event means: `engine`, `controllers`, or one by its name. */
export function processesOf(play: Play, of: string): readonly string[] {
  const engines = play.stages.flatMap(({ actors }) => actors.map(({ name }) => name))
  // People who apply files are no process of the engine.
  if (of === 'engine' || of === 'controller') return engines.filter((name) => !isPerson(name))
  const controllers = controllerManager().map(({ name }) => name)
  if (of === 'controllers') return controllers
  return [...engines, ...controllers, ...play.others, 'kubelet'].filter((name) => name === of)
}

/** What an outage may name that is no process. */
const PLACES: readonly string[] = ['api-server', 'registry', 'sources', 'git']

/** Whether an event of a world names something that is there; a word for what may be named. */
export function unknownProcess(play: Play): string | undefined {
  for (const event of play.world.events) {
    if (event.kind !== 'outage' && event.kind !== 'restart') continue
    if (event.kind === 'outage' && PLACES.includes(event.of)) continue
    if (processesOf(play, event.of).length > 0) continue
    const engines = play.stages.flatMap(({ actors }) => actors.map(({ name }) => name))
    const known = ['engine', 'controllers', ...PLACES, ...engines, ...play.others, 'kubelet']
    return `${event.kind} of ${event.of}: nobody is called so (known: ${known.join(', ')})`
  }
  return undefined
}

function isPerson(name: string): boolean {
  return name.startsWith('person')
}
