import {
  isList,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../core/json.ts'
import type { Cel } from '../api/contract.ts'
import type { Review } from '../api/admission.ts'
import { selects } from '../controllers/job/selector.ts'
import type { KubeObject, ResourceId } from '../object.ts'

/** A policy that a request falls under, with one of its bindings and one of its parameters. */
export interface Matched {
  readonly policy: KubeObject
  readonly binding: KubeObject
  readonly variables: { readonly [name: string]: Json | undefined }
}

/** A rule could not be evaluated; with failurePolicy Fail that refuses the request. */
export interface PolicyFault {
  readonly policy: KubeObject
  readonly binding: KubeObject
  readonly message: string
}

export interface Policies {
  readonly policies: ResourceId
  readonly bindings: ResourceId
}

/**
 * The policies of a request, in the order of their names: match constraints, selectors of policy
 * and binding, parameters, match conditions. One entry for each binding and parameter object.
 */
export function policiesOf(
  review: Review,
  { policies, bindings }: Policies,
  cel: Cel,
): readonly (Matched | PolicyFault)[] {
  const found: (Matched | PolicyFault)[] = []
  const all = review.read.list(bindings)
  if (all.length === 0) return found
  for (const policy of review.read.list(policies)) {
    if (!matchesResources(objectAt(policy, ['spec', 'matchConstraints']), review)) continue
    for (const binding of all) {
      if (stringAt(binding, ['spec', 'policyName']) !== policy.metadata.name) continue
      const narrower = objectAt(binding, ['spec', 'matchResources'])
      if (narrower !== undefined && !matchesSelectors(narrower, review)) continue
      if (narrower?.['resourceRules'] !== undefined && !matchesRules(narrower, review)) continue
      const params = paramsOf(policy, binding, review)
      if (typeof params === 'string') {
        found.push({ policy, binding, message: params })
        continue
      }
      for (const param of params) {
        const variables = variablesOf(policy, param, review, cel)
        const holds = conditionsHold(policy, variables, cel)
        if (typeof holds === 'string') found.push({ policy, binding, message: holds })
        else if (holds) found.push({ policy, binding, variables })
      }
    }
  }
  return found
}

export function isIgnoring(policy: KubeObject): boolean {
  return stringAt(policy, ['spec', 'failurePolicy']) === 'Ignore'
}

function matchesResources(constraints: JsonObject | undefined, review: Review): boolean {
  if (constraints === undefined) return false
  return matchesRules(constraints, review) && matchesSelectors(constraints, review)
}

function matchesRules(constraints: JsonObject, review: Review): boolean {
  const isExcluded = listAt(constraints, ['excludeResourceRules']).some((rule) =>
    matchesRule(rule, review),
  )
  if (isExcluded) return false
  return listAt(constraints, ['resourceRules']).some((rule) => matchesRule(rule, review))
}

function matchesRule(rule: Json, review: Review): boolean {
  const { resource, subresource, operation, name } = review
  const has = (key: string, wanted: string): boolean => {
    const values = listAt(rule, [key])
    return values.includes(wanted) || values.includes('*')
  }
  const path = subresource === undefined ? resource.resource : `${resource.resource}/${subresource}`
  const isResource = listAt(rule, ['resources']).some(
    (one) =>
      one === path ||
      one === '*/*' ||
      (subresource === undefined ? one === '*' : one === `${resource.resource}/*`),
  )
  const names = listAt(rule, ['resourceNames'])
  return (
    has('operations', operation) &&
    has('apiGroups', resource.group) &&
    has('apiVersions', resource.version) &&
    isResource &&
    (names.length === 0 || names.includes(name))
  )
}

function matchesSelectors(constraints: JsonObject, review: Review): boolean {
  const objectSelector = objectAt(constraints, ['objectSelector'])
  if (objectSelector !== undefined) {
    const isMatch = [review.object, review.old].some(
      (object) => object !== undefined && selects(objectSelector, object.metadata.labels ?? {}),
    )
    if (!isMatch) return false
  }
  const namespaceSelector = objectAt(constraints, ['namespaceSelector'])
  if (namespaceSelector === undefined || review.namespace === undefined) return true
  const namespace = namespaceOf(review)
  return namespace !== undefined && selects(namespaceSelector, namespace.metadata.labels ?? {})
}

function namespaceOf({ read, namespace }: Review): KubeObject | undefined {
  if (namespace === undefined) return undefined
  return read.get({ group: '', version: 'v1', resource: 'namespaces' }, undefined, namespace)
}

/** Without paramKind one undefined parameter; a text when the binding forbids that it is absent. */
function paramsOf(
  policy: KubeObject,
  binding: KubeObject,
  review: Review,
): readonly (KubeObject | undefined)[] | string {
  const kind = objectAt(policy, ['spec', 'paramKind'])
  const ref = objectAt(binding, ['spec', 'paramRef'])
  if (kind === undefined || ref === undefined) return [undefined]
  const [group, version] = splitVersion(stringAt(kind, ['apiVersion']) ?? '')
  const resource = resourceOfKind(review, group, version, stringAt(kind, ['kind']) ?? '')
  const namespace = stringAt(ref, ['namespace']) ?? review.namespace
  const name = stringAt(ref, ['name'])
  const selector = objectAt(ref, ['selector'])
  const found: KubeObject[] = []
  if (resource !== undefined) {
    if (name !== undefined) {
      const object =
        review.read.get(resource, namespace, name) ?? review.read.get(resource, undefined, name)
      if (object !== undefined) found.push(object)
    } else if (selector !== undefined) {
      for (const object of review.read.list(resource, namespace)) {
        if (selects(selector, object.metadata.labels ?? {})) found.push(object)
      }
    }
  }
  if (found.length > 0) return found
  const isAllowed = stringAt(ref, ['parameterNotFoundAction']) === 'Allow'
  return isAllowed
    ? []
    : 'failed to configure binding: no params found for policy binding with `Deny` ' +
        'parameterNotFoundAction'
}

function splitVersion(apiVersion: string): readonly [string, string] {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)]
}

/** The plural as the built-in kinds and CustomResourceDefinitions spell it. */
function resourceOfKind(
  review: Review,
  group: string,
  version: string,
  kind: string,
): ResourceId | undefined {
  const definitions = {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    resource: 'customresourcedefinitions',
  }
  for (const definition of review.read.list(definitions)) {
    const isIt =
      stringAt(definition, ['spec', 'group']) === group &&
      stringAt(definition, ['spec', 'names', 'kind']) === kind
    const resource = stringAt(definition, ['spec', 'names', 'plural'])
    if (isIt && resource !== undefined) return { group, version, resource }
  }
  return { group, version, resource: `${kind.toLowerCase()}s` }
}

function variablesOf(
  policy: KubeObject,
  params: KubeObject | undefined,
  review: Review,
  cel: Cel,
): { readonly [name: string]: Json | undefined } {
  const named: { [name: string]: Json } = {}
  const variables = {
    object: review.object ?? null,
    oldObject: review.old ?? null,
    request: requestOf(review),
    params: params ?? null,
    namespaceObject: namespaceOf(review) ?? null,
    variables: named,
  }
  for (const variable of listAt(policy, ['spec', 'variables'])) {
    const name = stringAt(variable, ['name'])
    const result = cel.evaluate(stringAt(variable, ['expression']) ?? '', variables)
    if (name !== undefined && 'value' in result) named[name] = result.value
  }
  return variables
}

function requestOf({
  operation,
  resource,
  subresource,
  name,
  namespace,
  user,
  dryRun,
}: Review): JsonObject {
  return {
    operation,
    name,
    namespace: namespace ?? '',
    resource: { ...resource },
    subResource: subresource ?? '',
    userInfo: { username: user },
    dryRun,
  }
}

function conditionsHold(
  policy: KubeObject,
  variables: { readonly [name: string]: Json | undefined },
  cel: Cel,
): boolean | string {
  let fault: string | undefined
  for (const condition of listAt(policy, ['spec', 'matchConditions'])) {
    const result = cel.evaluate(stringAt(condition, ['expression']) ?? '', variables)
    if ('fault' in result) fault = result.fault
    else if (result.value !== true) return false
  }
  return fault ?? true
}

export function asObject(value: Json): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

export function asOperations(value: Json): readonly Json[] | undefined {
  return isList(value) ? value : undefined
}
