import { objectAt, stringAt } from '../../../core/json.ts'
import type { App } from './application.ts'
import type { Engine } from './engine.ts'
import { keyOf, placeOf } from './tracking.ts'

/** What an old cache will still show when the comparison after this operation reads it. */
export function remember(engine: Engine, app: App): void {
  const memory = engine.app(app.name)
  const before = new Map(
    [...(engine.state.tracked.get(app.name) ?? [])].map(([key, place]) => [
      key,
      engine.live(place),
    ]),
  )
  const revision = stringAt(app.object, ['status', 'sync', 'revision'])
  const rendered = revision === undefined ? undefined : engine.render(app, revision, false)
  for (const object of rendered !== undefined && 'objects' in rendered ? rendered.objects : []) {
    const kind = engine.kindOf(object)
    if (kind === undefined) continue
    const namespace = stringAt(object, ['metadata', 'namespace']) ?? app.namespace
    const place = placeOf(
      { ...object, metadata: { ...objectAt(object, ['metadata']), namespace } },
      kind,
    )
    if (!before.has(keyOf(place))) before.set(keyOf(place), engine.live(place))
  }
  memory.before = before
}
