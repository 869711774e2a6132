import type { JsonObject } from '../core/json.ts'
import type { Engine, Traits } from './engine.ts'
import { templateChangeOf } from './traits.ts'

/**
 * `kubectl apply` by a person or a pipeline: nothing happens but with the command. Its flags
 * (`--force`, `--prune`, `--server-side`) stand in no repository, so the plain form is taken.
 */
export const kubectl: Engine = {
  id: 'kubectl',
  title: 'kubectl',
  carrierKinds: [],
  settings: () => [],
  traits,
}

function traits(_carrier: JsonObject | undefined, object: JsonObject): Traits {
  return {
    applies: true,
    restoresAbsent: { when: 'change', on: 'the next kubectl apply', rule: 'K, 1.7' },
    templateChange: templateChangeOf(object, 'refused'),
    updatesBy: 'apply',
    // apply leaves what it is not given, but with --prune it does not (trace kubernetes/093).
    removesUndeclared: undefined,
    // Both forms of apply refuse it (trace kubernetes/092); `kubectl create` would run it anew.
    generateName: 'refused',
    assumed: false,
  }
}
