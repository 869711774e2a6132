import { stringAt } from '../../../core/json.ts'
import type { App } from './application.ts'
import type { Engine } from './engine.ts'

/** Whether a comparison can read an old cache at all. */
function mayBeStale({ options, delays }: Engine): boolean {
  return options.recorded?.stale !== undefined || delays.staleShare > 0
}

/** What an old cache will still show when the comparison after this operation reads it. */
export function remember(engine: Engine, app: App): void {
  if (!mayBeStale(engine)) return
  const memory = engine.app(app.name)
  const before = new Map(
    [...(engine.state.tracked.get(app.name) ?? [])].map(([key, place]) => [
      key,
      engine.live(place),
    ]),
  )
  const revision = stringAt(app.object, ['status', 'sync', 'revision'])
  const rendered = revision === undefined ? undefined : engine.render(app, revision, false)
  if (rendered !== undefined && 'objects' in rendered) {
    for (const { key, place } of engine.targetsOf(rendered.objects, app).plain) {
      if (!before.has(key)) before.set(key, engine.live(place))
    }
  }
  memory.before = before
}
