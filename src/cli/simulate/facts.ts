import { createCel } from '../../adapters/cel.ts'
import { parseRef } from '../../simulate/scenario/drift.ts'
import type { Facts } from '../../simulate/tell/facts.ts'
import { findObject } from '../../simulate/world/find-object.ts'
import { Play } from '../../simulate/world/play.ts'
import type { SimulateOptions } from './options.ts'
import type { Playable } from './show.ts'

/** Plays the world again until the instant that somebody asks about, and looks. */
export function factsOf({ world }: Playable, { timing }: Pick<SimulateOptions, 'timing'>): Facts {
  return {
    factsAt(at, lane) {
      const play = new Play(world, { timing }, { cel: createCel() })
      play.runTo(at)
      const object = findObject(play, parseRef(`${lane.kind}/${lane.name}`) ?? NOBODY)
      const label = /([A-Z]\w+) (\S+\/\S+)$/.exec(lane.appliedBy ?? '')
      const ref = label === null ? undefined : parseRef(`${label[1]}/${label[2]}`)
      const carrier = ref === undefined ? undefined : findObject(play, ref)
      const engines = new Set(play.stages.flatMap(({ actors }) => actors.map(({ name }) => name)))
      const next = play.cluster.planned().find(({ owner }) => engines.has(owner))
      const down = [...engines].filter((name) => !play.cluster.isRunning(name))
      return {
        ...(object === undefined ? {} : { object }),
        ...(carrier === undefined ? {} : { carrier }),
        ...(next === undefined ? {} : { nextWake: next.at }),
        ...(down.length === 0 ? {} : { down }),
      }
    },
  }
}

const NOBODY = { kind: '', name: '' }
