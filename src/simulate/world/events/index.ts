import type { WorldEvent } from '../world.ts'
import { change, sync } from './ask.ts'
import { rebuild, restore } from './cluster.ts'
import { drift } from './drift.ts'
import type { Effect } from './effect.ts'
import { outage, restart } from './outage.ts'
import { tag } from './tag.ts'
import { upgrade } from './upgrade.ts'

/** What each kind of event does; a commit is the play's own business. */
export const effects: {
  readonly [Kind in Exclude<WorldEvent['kind'], 'commit'>]: Effect<Kind>
} = { sync, change, drift, outage, restart, rebuild, restore, tag, upgrade }
