import {
  isList,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../../core/json.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { timestamp } from '../../../cluster/time.ts'
import {
  fluxOperator,
  IDEALISED_TIMING,
  REALISTIC_TIMING,
  resourceSetKinds,
  SETS,
  type LookUp,
} from '../../engines/flux-operator/index.ts'
import { bystanderKinds } from '../../engines/kinds.ts'
import { mergeValues } from '../../go-template/chart.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { applier, changedBy, chosenBy, refOf, withFields } from '../applier.ts'
import type { Files, ScenarioEngine, Stage, StageInput } from '../stage.ts'

const KINDS = [...resourceSetKinds, ...bystanderKinds]
const GROUP = 'fluxcd.controlplane.io'
const REQUESTED = 'reconcile.fluxcd.io/requestedAt'

/** Settings that are annotations of the set, and those that its objects get by commonMetadata. */
const OF_SET: { readonly [setting: string]: string } = {
  interval: 'reconcileEvery',
  reconcileEvery: 'reconcileEvery',
  timeout: 'reconcileTimeout',
  reconcileTimeout: 'reconcileTimeout',
  reconcile: 'reconcile',
  force: 'force',
}
const OF_OBJECTS = ['recreateOnFailure', 'prune'] as const

/**
 * flux-operator: ResourceSets, their providers and whatever else stands in files, applied by a
 * person. What providers of other types than Static find is the setting `exports`, by
 * `namespace/name`.
 */
export const fluxResourceSet: ScenarioEngine = {
  kinds: ['flux-resourceset', 'flux-operator'],
  stage: (input) => new ResourceSets(input),
}

class ResourceSets implements Stage {
  readonly actors: Stage['actors']
  readonly kinds: Stage['kinds'] = KINDS
  readonly #input: StageInput
  readonly #person = applier('person at flux-operator', KINDS)
  #declared: readonly JsonObject[] = []
  #carriers: readonly JsonObject[]
  #exports: JsonObject
  #isAvailable = true
  #asked = 0

  constructor(input: StageInput) {
    const { settings, tools, timing } = input
    const { concurrent } = settings
    this.#input = input
    this.#carriers = input.carriers.map((object) => this.#set(object))
    this.#exports = objectAt(settings, ['exports']) ?? {}
    const engine = fluxOperator({
      timing: timing === 'realistic' ? REALISTIC_TIMING : IDEALISED_TIMING,
      lookUp: this.#lookUp,
      ...(typeof concurrent === 'number' ? { concurrency: concurrent } : {}),
      ...(tools.cel === undefined ? {} : { cel: tools.cel }),
    })
    this.actors = [engine, this.#person.actor]
  }

  prepare(): void {}

  commit(
    cluster: Cluster,
    _revision: string,
    files: Files,
    carriers?: readonly JsonObject[],
  ): void {
    const before = this.#all()
    this.#declared = Object.entries(files)
      .flatMap(([path, text]) => (/\.ya?ml$/.test(path) ? objectsOf(path, text) : []))
      .filter((object) => stringAt(object, ['kind']) !== undefined)
      .map((object) => this.#set(object))
    if (carriers !== undefined) this.#carriers = carriers.map((object) => this.#set(object))
    this.#person.apply(cluster, this.#all())
    const kept = new Set(this.#all().map(refOf))
    this.#person.remove(
      cluster,
      before.filter((object) => !kept.has(refOf(object))),
    )
  }

  sources(_cluster: Cluster, available: boolean): void {
    this.#isAvailable = available
  }

  bootstrap(cluster: Cluster): void {
    this.#person.apply(cluster, this.#all())
  }

  /** Somebody asks for a reconcile. */
  sync(cluster: Cluster, event: JsonObject): void {
    for (const set of chosenBy(event, this.#sets())) this.#ask(cluster, set)
  }

  change(cluster: Cluster, event: JsonObject): void {
    const isPlain = event['object'] === undefined
    const chosen = new Set(chosenBy(event, isPlain ? this.#sets() : this.#all()))
    if (event['uninstall'] === true) {
      this.#person.remove(cluster, [...chosen])
      return
    }
    const change = objectAt(event, ['change'])
    const exported = objectAt(change, ['exports'])
    if (exported !== undefined) this.#exports = { ...this.#exports, ...exported }
    const { exports: _, ...fields } = change ?? {}
    const values = objectAt(event, ['values'])
    const after = (object: JsonObject): JsonObject => {
      const changed = chosen.has(object) ? changedBy({ change: fields }, object) : object
      return values === undefined ? changed : this.#withInputs(changed, values, chosen.has(object))
    }
    this.#carriers = this.#carriers.map(after)
    this.#declared = this.#declared.map(after)
    this.#person.apply(cluster, this.#all())
  }

  readonly #lookUp: LookUp = ({ metadata }) => {
    if (!this.#isAvailable) return { fault: 'the source of the inputs cannot be reached' }
    const key = `${metadata.namespace ?? ''}/${metadata.name}`
    const found = this.#exports[key]
    if (!isList(found)) return { fault: `the scenario says nothing of the exports of ${key}` }
    return found.filter(isObject)
  }

  /** Values are the inputs of Static providers; of a set without providers, its own. */
  #withInputs(object: JsonObject, values: JsonObject, isChosen: boolean): JsonObject {
    const kind = stringAt(object, ['kind'])
    if (kind === 'ResourceSetInputProvider' && stringAt(object, ['spec', 'type']) === 'Static') {
      const inputs = mergeValues(objectAt(object, ['spec', 'defaultValues']) ?? {}, values)
      return withFields(object, { 'spec.defaultValues': inputs })
    }
    const inputs = listAt(object, ['spec', 'inputs']).filter(isObject)
    if (kind !== 'ResourceSet' || !isChosen || inputs.length === 0) return object
    return withFields(object, { 'spec.inputs': inputs.map((one) => mergeValues(one, values)) })
  }

  #set(object: JsonObject): JsonObject {
    if (stringAt(object, ['kind']) !== 'ResourceSet') return object
    return withSettings(withNamespace(object), { ...this.#input.settings, ...this.#input.changes })
  }

  #all(): readonly JsonObject[] {
    const declared = new Set(this.#declared.map(refOf))
    return [...this.#carriers.filter((object) => !declared.has(refOf(object))), ...this.#declared]
  }

  #sets(): readonly JsonObject[] {
    return this.#all().filter((object) => stringAt(object, ['kind']) === 'ResourceSet')
  }

  #ask(cluster: Cluster, set: JsonObject): void {
    this.#asked += 1
    const asked = `${timestamp(cluster.now)}#${this.#asked}`
    cluster.request({
      verb: 'patch',
      resource: SETS,
      namespace: stringAt(set, ['metadata', 'namespace']) ?? 'default',
      name: stringAt(set, ['metadata', 'name']) ?? '',
      patch: { type: 'merge', body: { metadata: { annotations: { [REQUESTED]: asked } } } },
      options: { fieldManager: 'flux' },
      user: 'person',
    })
  }
}

function withNamespace(object: JsonObject): JsonObject {
  const metadata = objectAt(object, ['metadata']) ?? {}
  return { ...object, metadata: { namespace: 'default', ...metadata } }
}

function withSettings(object: JsonObject, given: JsonObject): JsonObject {
  const metadata = objectAt(object, ['metadata']) ?? {}
  const own: { [key: string]: Json | undefined } = { ...objectAt(metadata, ['annotations']) }
  const common: { [key: string]: Json | undefined } = {}
  let made = object
  for (const [setting, value] of Object.entries(given)) {
    if (value === undefined) continue
    const mark = OF_SET[setting]
    if (mark !== undefined) own[`${GROUP}/${mark}`] = wordOf(value)
    if (setting === 'suspend') own[`${GROUP}/reconcile`] = wordOf(value !== true)
    const isCommon = OF_OBJECTS.some((one) => one === setting)
    if (isCommon) common[`${GROUP}/${setting}`] = wordOf(value)
    if (setting === 'wait' || setting === 'inputs')
      made = withFields(made, { [`spec.${setting}`]: value })
    if (setting.startsWith('spec.')) made = withFields(made, { [setting]: value })
  }
  if (Object.keys(common).length > 0) {
    const before = objectAt(made, ['spec', 'commonMetadata', 'annotations']) ?? {}
    made = withFields(made, { 'spec.commonMetadata.annotations': { ...before, ...common } })
  }
  return { ...made, metadata: { ...metadata, annotations: own } }
}

/** Marks are words: `enabled`, `disabled`, a duration. */
function wordOf(value: Json): string {
  if (typeof value === 'boolean') return value ? 'enabled' : 'disabled'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
