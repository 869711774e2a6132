import { at, isList, isObject, stringAt, type JsonObject } from '../../core/json.ts'
import { textOf } from '../json-text.ts'
import { isTemplated } from '../../core/templates.ts'
import { placeAt, fileOf } from '../place.ts'
import { isTracedObject, itemsOf, originOf, partOf, withPart, type Traced } from '../traced.ts'
import { fullName } from '../world.ts'
import { applicationLoads } from './argocd-application.ts'
import { parametersOf } from './argocd-generators.ts'
import { fillTemplate, type Parameters } from './argocd-parameters.ts'
import type { Carrier, CarrierEntry, CarrierKind, Surroundings } from './carrier.ts'

/**
 * An ApplicationSet makes one Application of its template for each set of parameters. Parameters
 * that only the cluster knows stay in the text, and a path that needs them is not followed.
 */
export const argocdApplicationSet: CarrierKind = {
  group: 'argoproj.io',
  kind: 'ApplicationSet',
  carriersOf,
}

function carriersOf({ manifest, object }: CarrierEntry, repo: Surroundings): readonly Carrier[] {
  const spec = partOf(object, 'spec')
  const template = spec && partOf(spec, 'template')
  if (template === undefined || !isTracedObject(template)) return []
  const goTemplate = at(object.value, ['spec', 'goTemplate']) === true
  const sets = parametersOf(object, repo)
  const seen = new Set<string>()
  return sets.flatMap((parameters) => {
    const filled = fill(template, parameters, goTemplate)
    const key = textOf(filled.value)
    if (seen.has(key)) return []
    seen.add(key)
    return [carrier({ manifest, object }, filled, repo)]
  })
}

function carrier(
  { manifest, object }: CarrierEntry,
  template: Traced,
  repo: Surroundings,
): Carrier {
  const name = stringAt(template.value, ['metadata', 'name'])
  const filled = withTemplate(object, template)
  const spec = partOf(template, 'spec')
  return {
    engine: 'argocd',
    label: `ApplicationSet ${fullName(object.value)}`,
    path: fileOf(object.trace.origin),
    manifest,
    object: filled,
    settings:
      name === undefined || isTemplated(name)
        ? []
        : [
            {
              name: 'application',
              value: name,
              path: ['spec', 'template', 'metadata', 'name'],
              place: placeAt(originOf(template, ['metadata', 'name'])),
            },
          ],
    loads: (say) => (spec === undefined ? [] : applicationLoads(spec, repo, say)),
  }
}

function withTemplate(object: Traced<JsonObject>, template: Traced): Traced<JsonObject> {
  const spec = partOf(object, 'spec')
  const after = spec === undefined ? undefined : withPart(spec, 'template', template)
  const whole = after === undefined ? undefined : withPart(object, 'spec', after)
  return whole !== undefined && isTracedObject(whole) ? whole : object
}

/** Every text of the template with its parameters put in; what stands where stays known. */
function fill(whole: Traced, parameters: Parameters, goTemplate: boolean): Traced {
  const { value } = whole
  if (typeof value === 'string') {
    const text = fillTemplate(value, parameters, goTemplate)
    return text === value ? whole : { value: text, trace: { origin: whole.trace.origin } }
  }
  let now = whole
  const put = (step: string | number, part: Traced): void => {
    const after = fill(part, parameters, goTemplate)
    if (after !== part) now = withPart(now, step, after) ?? now
  }
  if (isList(value)) {
    for (const [index, item] of itemsOf(whole).entries()) put(index, item)
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const part = partOf(whole, key)
      if (part !== undefined) put(key, part)
    }
  }
  return now
}
