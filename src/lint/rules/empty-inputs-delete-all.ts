import {
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../core/json.ts'
import { placeOf, type Manifest } from '../../core/manifest.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Repository, Subject } from '../../ownership/subject.ts'
import { manifestKey } from '../chain.ts'
import { engineTitle, label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * Inputs come from a provider whose answer may be empty: a tag filter that matches nothing any
 * more, a service that answers with an empty list, labels that no provider carries. An empty
 * answer is a success, and everything that came from the inputs is deleted, running Jobs included;
 * when it is repaired, they run again.
 * Silent for providers of pull requests and branches, where that is the purpose; for static ones;
 * for providers that are not in the repository; and for Jobs that are kept from pruning.
 */
export const emptyInputsDeleteAll: Rule = {
  id: 'empty-inputs-delete-all',
  severity: 'warning',
  summary: 'An empty answer of an input provider deletes the Job and everything beside it.',
  kinds: ['Job'],
  checkRepository,
}

const PROVIDER = 'ResourceSetInputProvider'

function checkRepository({ subjects, manifests }: Repository): readonly RuleFinding[] {
  const seen = new Set<string>()
  const providers = manifests.filter(({ kind }) => kind === PROVIDER)
  return subjects.flatMap((subject) => {
    const { carrier, traits } = subject
    if (carrier === undefined || subject.kind !== 'Job' || !traits.applies) return []
    // Every Job of the set goes the same way, so the first one stands for all.
    if (traits.removesUndeclared !== true || seen.has(manifestKey(carrier))) return []
    const entries = listAt(carrier.object, ['spec', 'inputsFrom'])
    const findings = entries.flatMap((entry, index) => check(subject, { entry, index, providers }))
    if (findings.length > 0) seen.add(manifestKey(carrier))
    return findings
  })
}

interface Source {
  readonly entry: Json
  readonly index: number
  readonly providers: readonly Manifest[]
}

function check(subject: Subject, { entry, index, providers }: Source): readonly RuleFinding[] {
  const { carrier } = subject
  if (carrier === undefined) return []
  const found = providers.filter((provider) => isMeant(entry, provider, carrier))
  const risks = found.flatMap((provider) => riskOf(provider))
  const [risk] = risks
  // Another provider of the same selector may still answer.
  if (risk === undefined || risks.length < found.length) return []
  return [
    {
      subject,
      place: placeOf(carrier, ['spec', 'inputsFrom', index]),
      what: `${label(subject)} is deleted, with all that its ResourceSet holds, when ${risk.when}`,
      why:
        `an empty answer counts as a success: ${engineTitle(subject)} then removes what it applied, ` +
        'a running Job included, and stays Ready; with the next good answer the Job runs again',
      remedy:
        'set the annotation fluxcd.controlplane.io/prune: disabled on what must stay, and let the ' +
        'filter be one that always matches',
      related: [{ place: risk.place, note: risk.note }],
    },
  ]
}

function isMeant(entry: Json, provider: Manifest, carrier: Manifest): boolean {
  if ((stringAt(entry, ['kind']) ?? PROVIDER) !== PROVIDER) return false
  const { namespace } = provider
  if (namespace !== undefined && carrier.namespace !== undefined) {
    if (namespace !== carrier.namespace) return false
  }
  const name = stringAt(entry, ['name'])
  if (name !== undefined) return name === provider.name
  const wanted = objectAt(entry, ['selector', 'matchLabels'])
  const labels = objectAt(provider.object, ['metadata', 'labels']) ?? {}
  return (
    wanted !== undefined && Object.entries(wanted).every(([key, value]) => labels[key] === value)
  )
}

interface Risk {
  readonly when: string
  readonly place: ReturnType<typeof placeOf>
  readonly note: string
}

/** A type of which an empty answer is the ordinary end (a closed pull request) is no risk. */
function riskOf(provider: Manifest): readonly Risk[] {
  const { object, name = '' } = provider
  const type = stringAt(object, ['spec', 'type'])
  if (type === undefined || isTemplated(type)) return []
  if (type === 'ExternalService') {
    const when = `the service behind ${name} answers with no inputs`
    return [
      { when, place: placeOf(provider, ['spec', 'type']), note: `${PROVIDER} ${name}: ${type}` },
    ]
  }
  const filter = objectAt(object, ['spec', 'filter'])
  const [key, value] = filterOf(filter)
  if (!type.endsWith('Tag') || key === undefined) return []
  const when = `no tag matches the filter of ${name} any more (${key}: ${value})`
  return [{ when, place: placeOf(provider, ['spec', 'filter', key]), note: `${PROVIDER} ${name}` }]
}

function filterOf(filter: JsonObject | undefined): readonly [string?, string?] {
  if (!isObject(filter)) return []
  for (const key of ['semver', 'includeTag', 'excludeTag']) {
    const value = filter[key]
    if (typeof value === 'string' && !matchesAll(key, value)) return [key, value]
  }
  return []
}

/** A filter that lets every tag through takes nothing away. */
function matchesAll(key: string, value: string): boolean {
  return key === 'semver'
    ? /^(?:\*|x)$/.test(value)
    : key === 'includeTag' && /^\^?\.\*\$?$/.test(value)
}
