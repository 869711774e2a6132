import {
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../../core/json.ts'
import { conditionOf, expressionsOf, namesIn } from './expressions.ts'
import { GROUP, pluralOf } from './kinds.ts'
import { DefinitionFault, openApiOf } from './simple-schema.ts'
import type { ResourceId } from '../../../cluster/object.ts'

/** A compiled ResourceGraphDefinition. */
export interface Graph {
  readonly definition: string
  readonly revision: number
  readonly kind: string
  readonly resource: ResourceId
  readonly isNamespaced: boolean
  /** Of whole instances, as the CustomResourceDefinition has it. */
  readonly schema: JsonObject
  /** In the order in which they are worked on: what is referred to comes first. */
  readonly nodes: readonly GraphNode[]
  /** Expressions for the status of instances. */
  readonly status: JsonObject
}

export interface GraphNode {
  readonly id: string
  /** `batch/v1`, `Job`. */
  readonly apiVersion: string
  readonly kind: string
  readonly template: JsonObject
  /** Read and never written (externalRef). */
  readonly isExternal: boolean
  readonly includeWhen: readonly string[]
  readonly readyWhen: readonly string[]
  /** One object per item, or per combination of items when there are several. */
  readonly forEach: readonly Iteration[]
  /** Ids of the nodes that it refers to. */
  readonly needs: readonly string[]
  /** Annotation internal.kro.run/apply-order: deletion goes from the highest to the lowest. */
  readonly wave: number
}

export interface Iteration {
  readonly name: string
  readonly expression: string
}

/** Throws a DefinitionFault for what kro would not accept. */
export function compileGraph(definition: JsonObject, revision: number): Graph {
  const schema = objectAt(definition, ['spec', 'schema']) ?? {}
  const kind = stringAt(schema, ['kind']) ?? ''
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) {
    throw new DefinitionFault(`kind '${kind}' is not a valid KRO kind name: must be UpperCamelCase`)
  }
  return {
    definition: stringAt(definition, ['metadata', 'name']) ?? '',
    revision,
    kind,
    resource: {
      group: stringAt(schema, ['group']) ?? GROUP,
      version: stringAt(schema, ['apiVersion']) ?? 'v1alpha1',
      resource: pluralOf(kind),
    },
    isNamespaced: stringAt(schema, ['scope']) !== 'Cluster',
    schema: schemaOf(schema),
    nodes: ordered(listAt(definition, ['spec', 'resources']).map(nodeOf)),
    status: objectAt(schema, ['status']) ?? {},
  }
}

function schemaOf(schema: JsonObject): JsonObject {
  const types = objectAt(schema, ['types']) ?? {}
  return {
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: openApiOf(objectAt(schema, ['spec']) ?? {}, types),
      // The types of its fields follow from expressions, which are not checked here.
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  }
}

function nodeOf(given: Json, index: number): Unordered {
  const id = stringAt(given, ['id']) ?? ''
  if (!/^[a-z][A-Za-z0-9]*$/.test(id)) {
    throw new DefinitionFault(`resource id '${id}' at position ${index} is no lowerCamelCase name`)
  }
  const external = objectAt(given, ['externalRef'])
  const template = objectAt(given, ['template']) ?? external
  if (template === undefined) throw new DefinitionFault(`resource "${id}" has no template`)
  const forEach = listAt(given, ['forEach']).flatMap(iterationsOf)
  const conditions = (name: string): readonly string[] =>
    listAt(given, [name]).map((text) =>
      typeof text === 'string' ? conditionOf(text) : JSON.stringify(text),
    )
  return {
    id,
    apiVersion: stringAt(template, ['apiVersion']) ?? '',
    kind: stringAt(template, ['kind']) ?? '',
    template,
    isExternal: external !== undefined,
    includeWhen: conditions('includeWhen'),
    readyWhen: conditions('readyWhen'),
    forEach,
  }
}

type Unordered = Omit<GraphNode, 'needs' | 'wave'>

/** `- v: "${...}"`, each entry one name. */
function iterationsOf(entry: Json): readonly Iteration[] {
  if (!isObject(entry)) return []
  return Object.entries(entry).flatMap(([name, value]) =>
    typeof value === 'string' ? [{ name, expression: conditionOf(value) }] : [],
  )
}

/** Topological, else as written; a wave begins where a node needs one of the current wave. */
function ordered(given: readonly Unordered[]): readonly GraphNode[] {
  const ids = new Set(given.map(({ id }) => id))
  if (ids.size < given.length) throw new DefinitionFault('found duplicate resource IDs')
  const needs = new Map(given.map((node) => [node.id, needsOf(node, ids)]))
  const sorted: GraphNode[] = []
  const done = new Set<string>()
  let current = new Set<string>()
  let wave = 1
  while (sorted.length < given.length) {
    const next = given.find(
      ({ id }) => !done.has(id) && (needs.get(id) ?? []).every((need) => done.has(need)),
    )
    if (next === undefined) throw new DefinitionFault('graph contains a cycle')
    const own = needs.get(next.id) ?? []
    if (own.some((need) => current.has(need))) {
      wave += 1
      current = new Set()
    }
    current.add(next.id)
    done.add(next.id)
    sorted.push({ ...next, needs: own, wave })
  }
  return sorted
}

function needsOf(node: Unordered, ids: ReadonlySet<string>): readonly string[] {
  const expressions = [
    ...expressionsOf(node.template),
    ...node.includeWhen,
    ...node.forEach.map(({ expression }) => expression),
  ]
  const iterators = new Set(node.forEach.map(({ name }) => name))
  const named = new Set(expressions.flatMap((expression) => [...namesIn(expression)]))
  return [...named].filter((name) => ids.has(name) && name !== node.id && !iterators.has(name))
}

/** The CustomResourceDefinition that serves the instances of a graph. */
export function customResourceDefinition(graph: Graph): JsonObject {
  const { group, version, resource } = graph.resource
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${resource}.${group}`,
      labels: {
        'kro.run/owned': 'true',
        'kro.run/resource-graph-definition-name': graph.definition,
      },
    },
    spec: {
      group,
      names: {
        kind: graph.kind,
        listKind: `${graph.kind}List`,
        plural: resource,
        singular: graph.kind.toLowerCase(),
      },
      scope: graph.isNamespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: graph.schema },
          subresources: { status: {} },
        },
      ],
    },
  }
}

export function isSuspended(annotations: { readonly [key: string]: string } | undefined): boolean {
  const value = annotations?.['kro.run/reconcile']?.toLowerCase()
  return value === 'suspended' || value === 'disabled'
}
