import { describe, expect, it } from 'vitest'
import { context, made, repositoryOf, type Made } from '../../../test/lint/subject.ts'
import type { JsonObject } from '../../core/json.ts'
import { sidecarBlocksCompletion } from './sidecar-blocks-completion.ts'

const namespace = (
  labels: JsonObject,
  annotations: JsonObject = {},
  name = 'shop',
): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels, annotations },
})

const judge = (options: Made, ...namespaces: readonly JsonObject[]) =>
  sidecarBlocksCompletion.checkRepository?.(repositoryOf([made(options)], namespaces), context()) ??
  []

const ISTIO = namespace({ 'istio-injection': 'enabled' })

const pod = (spec: JsonObject, metadata: JsonObject = {}) => ({
  spec: {
    template: { metadata, spec: { containers: [{ name: 'task', image: 'api:1' }], ...spec } },
  },
})
const annotated = (annotations: JsonObject) => pod({}, { annotations })
const beside = (container: JsonObject, rest: JsonObject = {}) =>
  pod({
    containers: [
      { name: 'task', image: 'api:1' },
      { name: 'other', ...container },
    ],
    ...rest,
  })

describe('sidecar-blocks-completion', () => {
  it.each([
    ['istio-injection: enabled', ISTIO],
    ['istio.io/rev: stable', namespace({ 'istio.io/rev': 'stable' })],
    ['linkerd.io/inject: enabled', namespace({}, { 'linkerd.io/inject': 'enabled' })],
  ])('warns in a namespace with %s', (words, object) => {
    const [finding] = judge(pod({}), object)
    expect(finding?.what).toContain('may never complete')
    expect(finding?.severity).toBeUndefined()
    expect(finding?.related?.[0]?.note).toBe(`Namespace shop: ${words}`)
  })

  it('is sure of an agent that nothing can end', () => {
    const [finding] = judge(annotated({ 'vault.hashicorp.com/agent-inject': 'true' }))
    expect(finding?.what).toContain('never completes: the Vault agent')
    expect(finding?.severity).toBe('error')
  })

  it.each([
    { 'vault.hashicorp.com/agent-enable-quit': 'true' },
    { 'dapr.io/enabled': 'true', 'vault.hashicorp.com/agent-inject': 'false' },
  ])('only warns where the work could end it: %j', (more) => {
    const annotations = { 'vault.hashicorp.com/agent-inject': 'true', ...more }
    expect(judge(annotated(annotations))[0]?.severity).toBeUndefined()
  })

  it('informs where a Job asks for a mesh itself', () => {
    const [finding] = judge(annotated({ 'linkerd.io/inject': 'enabled' }))
    expect(finding?.severity).toBe('info')
  })

  it('says that Forbid makes the first run the last one', () => {
    const annotations = { 'vault.hashicorp.com/agent-inject': 'true' }
    const template = { metadata: { annotations }, spec: {} }
    const spec = { concurrencyPolicy: 'Forbid', jobTemplate: { spec: { template } } }
    expect(judge({ kind: 'CronJob', spec })[0]?.why).toContain('the first run is the last one')
  })

  it.each([
    ['gcr.io/cloudsql-docker/gce-proxy:1.33', 'the Cloud SQL proxy', 'error'],
    ['gcr.io/cloud-sql-connectors/cloud-sql-proxy:2', 'the Cloud SQL proxy', 'error'],
    ['fluent/fluent-bit:3', 'Fluent Bit', 'error'],
    ['envoyproxy/envoy:v1.30', 'Envoy', undefined],
    ['docker:27-dind', 'the Docker daemon', 'error'],
  ])('knows %s beside the work', (image, title, severity) => {
    const [finding] = judge(beside({ image }))
    expect(finding?.what).toContain(`${title} runs beside the work`)
    expect(finding?.severity).toBe(severity)
  })

  it.each<[string, Made]>([
    ['an opt-out label', pod({}, { labels: { 'sidecar.istio.io/inject': 'false' } })],
    ['an opt-out annotation', annotated({ 'sidecar.istio.io/inject': 'false' })],
    ['a native sidecar', annotated({ 'sidecar.istio.io/nativeSidecar': 'true' })],
    ['the network of the host', pod({ hostNetwork: true })],
    [
      'a command that ends the proxy',
      pod({
        containers: [
          { name: 'task', command: ['sh', '-c', 'x; curl localhost:15020/quitquitquit'] },
        ],
      }),
    ],
    ['labels that rendering may add', { ...pod({}), open: ['spec.template.metadata.labels'] }],
    [
      'an opt-out that rendering decides',
      pod({}, { labels: { 'sidecar.istio.io/inject': '{{ .x }}' } }),
    ],
    ['an object that the engine leaves alone', { ...pod({}), traits: { applies: false } }],
  ])('is silent in a namespace with a mesh for %s', (_, options) => {
    expect(judge(options, ISTIO)).toEqual([])
  })

  it('is silent where only one of two namespaces of that name has a mesh', () => {
    expect(judge(pod({}), ISTIO, namespace({}))).toEqual([])
  })

  it.each<[string, Made]>([
    [
      'pre-populating alone',
      annotated({
        'vault.hashicorp.com/agent-inject': 'true',
        'vault.hashicorp.com/agent-pre-populate-only': 'true',
      }),
    ],
    [
      'an image as the work itself',
      pod({ containers: [{ name: 'task', image: 'fluent/fluent-bit:3' }] }),
    ],
    [
      'a native sidecar in the template',
      pod({
        initContainers: [{ name: 'logs', image: 'fluent/fluent-bit:3', restartPolicy: 'Always' }],
      }),
    ],
    [
      'a server that a script starts',
      beside({ image: 'fluent/fluent-bit:3', command: ['sh', '-c', 'run'] }),
    ],
    ['an unknown image beside the work', beside({ image: 'registry.example.test/helper:1' })],
    [
      'a work that signals its neighbours',
      pod({
        shareProcessNamespace: true,
        containers: [
          {
            name: 'task',
            image: 'api:1',
            command: ['sh', '-c', 'api migrate; pkill cloud_sql_proxy'],
          },
          { name: 'proxy', image: 'gcr.io/cloudsql-docker/gce-proxy:1.33' },
        ],
      }),
    ],
  ])('is silent for %s', (_, options) => {
    expect(judge(options)).toEqual([])
  })
})
