import type { Json, JsonObject } from '../../../../src/core/json.ts'

/** Small valid objects; `spec` and `metadata` are laid over, key by key. */
export function job(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, ...metadata },
    spec: { template: template(), ...spec },
  }
}

export function cronJob(
  name: string,
  spec: JsonObject = {},
  metadata: JsonObject = {},
): JsonObject {
  const jobTemplate = { spec: { template: template() } }
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, ...metadata },
    spec: { schedule: '*/5 * * * *', jobTemplate, ...spec },
  }
}

export function template(spec: JsonObject = {}, metadata?: JsonObject): JsonObject {
  return {
    ...(metadata === undefined ? {} : { metadata }),
    spec: { restartPolicy: 'Never', containers: [container()], ...spec },
  }
}

export function container(more: JsonObject = {}): JsonObject {
  return { name: 'main', image: 'registry.example/shop:1', ...more }
}

export function pod(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { containers: [container()], ...spec },
  }
}

export function deployment(
  name: string,
  spec: JsonObject = {},
  metadata: JsonObject = {},
): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, ...metadata },
    spec: { selector: { matchLabels: { app: 'shop' } }, template: shopTemplate(), ...spec },
  }
}

export function shopTemplate(spec: JsonObject = {}): JsonObject {
  return { metadata: { labels: { app: 'shop' } }, spec: { containers: [container()], ...spec } }
}

export function configMap(
  name: string,
  data: JsonObject = { a: '1' },
  metadata: JsonObject = {},
): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data }
}

export function secret(name: string, more: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, ...more }
}

export function lease(name: string, spec: JsonObject = {}): JsonObject {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec }
}

export function namespace(name: string, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...metadata } }
}

export function condition(type: string, more: JsonObject = {}): JsonObject {
  const times = { lastProbeTime: NOW, lastTransitionTime: NOW }
  return { type, status: 'True', reason: 'Told', message: '', ...times, ...more }
}

export const NOW = '2026-01-02T03:04:05Z'

export function deleteOptions(more: { readonly [key: string]: Json }): JsonObject {
  return { apiVersion: 'v1', kind: 'DeleteOptions', ...more }
}

/** A namespaced kind of this script alone, with a schema, a status and a scale. */
export function definition(more: JsonObject = {}, schema: JsonObject = widgetSchema): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.$(namespace).example.test' },
    spec: {
      group: '$(namespace).example.test',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: {
            status: {},
            scale: {
              specReplicasPath: '.spec.replicas',
              statusReplicasPath: '.status.replicas',
            },
          },
        },
      ],
      ...more,
    },
  }
}

export const widgetSchema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 10 },
        mode: { type: 'string', enum: ['slow', 'fast'], default: 'slow' },
        name: { type: 'string', pattern: '^[a-z]+$', maxLength: 8 },
        replicas: { type: 'integer' },
        parts: {
          type: 'array',
          items: {
            type: 'object',
            required: ['id'],
            properties: { id: { type: 'string' }, weight: { type: 'integer', default: 1 } },
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['id'],
        },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: {
      type: 'object',
      properties: { phase: { type: 'string' }, replicas: { type: 'integer' } },
    },
  },
}

export const WIDGETS = { group: '$(namespace).example.test', version: 'v1', resource: 'widgets' }

export function widget(name: string, spec: Json = { size: 1 }, more: JsonObject = {}): JsonObject {
  return {
    apiVersion: '$(namespace).example.test/v1',
    kind: 'Widget',
    metadata: { name },
    spec,
    ...more,
  }
}
