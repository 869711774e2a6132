import { Fault } from '../core/faults.ts'
import { isObject, objectAt, type Json } from '../core/json.ts'
import type { StampOptions } from './stamp-types.ts'

/** Options that a `functionConfig` may set, beside the ones that the caller has. */
const SWITCHES = [
  'cronJobs',
  'hooks',
  'generateNames',
  'rendered',
  'inPlace',
  'strict',
] as const satisfies readonly (keyof StampOptions)[]

/**
 * The options of a KRM function: the `data` of a ConfigMap, as kpt has it, or the `spec` of any
 * other kind. An unknown one is a fault, because a misspelt option would be silently off.
 */
export function optionsOfFunctionConfig(
  config: Json | undefined,
  given: StampOptions,
): StampOptions {
  if (!isObject(config)) return given
  const settings = objectAt(config, ['data']) ?? objectAt(config, ['spec']) ?? {}
  let options: StampOptions = given
  for (const [key, value] of Object.entries(settings)) {
    if (key === 'policy') options = { ...options, policy: policyOf(value) }
    else options = { ...options, [switchOf(key)]: booleanOf(key, value) }
  }
  return options
}

function switchOf(key: string): (typeof SWITCHES)[number] {
  const found = SWITCHES.find((name) => name === key)
  if (found !== undefined) return found
  throw new Fault('CONFIG_INVALID', {
    what: `functionConfig sets '${key}'`,
    why: 'stamp has no such option, so it would be off without a word',
    remedy: `use one of policy, ${SWITCHES.join(', ')}`,
  })
}

function policyOf(value: Json | undefined): 'intent' | 'adr-012' {
  if (value === 'intent' || value === 'adr-012') return value
  throw wrongValue('policy', value, 'intent or adr-012')
}

function booleanOf(key: string, value: Json | undefined): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw wrongValue(key, value, 'true or false')
}

function wrongValue(key: string, value: Json | undefined, wanted: string): Fault {
  return new Fault('CONFIG_INVALID', {
    what: `functionConfig sets ${key} to ${JSON.stringify(value)}`,
    why: `it is ${wanted}`,
    remedy: `write ${wanted}`,
  })
}
