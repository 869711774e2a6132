import { stringAt } from '../core/json.ts'
import type { Manifest } from '../core/manifest.ts'
import type { Place } from '../core/source.ts'
import type { Setting } from '../engines/engine.ts'
import { engineById } from '../engines/index.ts'
import type { Carrier } from './carriers/carrier.ts'
import type { Applied } from './expand.ts'
import { placeAt } from './place.ts'
import type { Link } from './subject.ts'
import { originOf, type Origin } from './traced.ts'
import { kept } from './world.ts'

/**
 * The way to a file, outermost first: what applies the carrier, as far as that is one thing, the
 * carrier itself, and the files that it goes through.
 */
export function linksTo(
  by: Applied | undefined,
  inner: readonly Link[],
  known: KnownLinks,
): readonly Link[] {
  if (by === undefined) return inner
  return [...linksOver(by, known), kept(known, by, () => linkOf(by)), ...inner]
}

/** One link for each carrier, whatever comes through it. */
export type KnownLinks = Map<Applied, Link>

function linksOver({ parents }: Applied, known: KnownLinks): readonly Link[] {
  const [parent] = parents
  return parent === undefined || parents.length > 1 ? [] : linksTo(parent.by, parent.links, known)
}

/** Most rules ask only who is on the way: settings are read when the first one wants them. */
function linkOf(applied: Applied): Link {
  const { label, path, manifest } = applied.carrier
  let settings: Link['settings'] | undefined
  return {
    label,
    path,
    get settings(): Link['settings'] {
      return (settings ??= settingsOf(applied))
    },
    ...(manifest === undefined ? {} : { manifest }),
  }
}

/** The engine's settings with the places where they are written. */
export function settingsOf({ carrier }: Applied): Link['settings'] {
  const { object, engine, settings = [] } = carrier
  const own = engineById(engine)?.settings(object?.value) ?? []
  const placed = own.map((setting) =>
    setting.path === undefined || object === undefined
      ? setting
      : withPlace(setting, originOf(object, setting.path)),
  )
  return [...settings, ...placed]
}

/** The place is looked up only when somebody shows it. */
function withPlace(setting: Setting, origin: Origin): Link['settings'][number] {
  return {
    ...setting,
    get place(): Place {
      return placeAt(origin)
    },
  }
}

/** The carrier as its engine sees it: the object of the file unless somebody changed it. */
export function carrierManifest({ manifest, object }: Carrier): Manifest | undefined {
  if (manifest === undefined || object === undefined || object.value === manifest.object) {
    return manifest
  }
  return {
    ...manifest,
    object: object.value,
    name: stringAt(object.value, ['metadata', 'name']) ?? manifest.name,
    namespace: stringAt(object.value, ['metadata', 'namespace']),
  }
}
