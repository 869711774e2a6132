import { at, listAt, stringAt, type Json, type Path } from '../core/json.ts'
import { isTemplated } from '../core/templates.ts'
import { parseImage } from './images.ts'
import { commandOf } from './references.ts'

/** Something that puts a container into pods, which runs on when the work has ended. */
export interface Injector {
  /** For a sentence: `the Istio proxy`. */
  readonly title: string
  /** Asks for it in the pod template's labels or annotations. */
  readonly pod: Marks
  /** The same on the Namespace, for all its pods. */
  readonly namespace?: Marks
  /** In the pod template: none, or one that ends with the work. */
  readonly without: Marks
  /** The same on the Namespace. */
  readonly namespaceWithout?: Marks
  /** The call that ends it, in a command. */
  readonly shutdown: RegExp
  /** It cannot be ended from the work unless this annotation says so. */
  readonly quitsOnlyWith?: string
  /** What may be otherwise although nothing here says so. */
  readonly unless?: string
  /** How it becomes a native sidecar, for a remedy. */
  readonly native?: string
  /** For a remedy. */
  readonly optOut: string
}

/** Keys with the values that count. */
export type Marks = readonly (readonly [key: string, value: RegExp])[]

const TRUE = /^true$/i
const ENABLED = /^(?:enabled|ingress)$/

export const INJECTORS: readonly Injector[] = [
  {
    title: 'the Istio proxy',
    pod: [
      ['sidecar.istio.io/inject', TRUE],
      ['istio.io/rev', /./],
    ],
    namespace: [
      ['istio-injection', /^enabled$/],
      ['istio.io/rev', /./],
    ],
    without: [
      ['sidecar.istio.io/inject', /^false$/i],
      ['sidecar.istio.io/nativeSidecar', TRUE],
    ],
    namespaceWithout: [['istio-injection', /^disabled$/]],
    shutdown: /quitquitquit|pilot-agent|scuttle/,
    unless: 'unless istiod makes it a native sidecar, as 1.27 and later do by default',
    native: 'the annotation sidecar.istio.io/nativeSidecar: "true"',
    optOut: 'the label sidecar.istio.io/inject: "false"',
  },
  {
    title: 'the Linkerd proxy',
    pod: [['linkerd.io/inject', ENABLED]],
    namespace: [['linkerd.io/inject', ENABLED]],
    without: [
      ['linkerd.io/inject', /^disabled$/],
      ['config.alpha.linkerd.io/proxy-enable-native-sidecar', TRUE],
      ['config.beta.linkerd.io/proxy-enable-native-sidecar', TRUE],
    ],
    namespaceWithout: [
      ['config.alpha.linkerd.io/proxy-enable-native-sidecar', TRUE],
      ['config.beta.linkerd.io/proxy-enable-native-sidecar', TRUE],
    ],
    shutdown: /4191\/shutdown|linkerd-await/,
    unless: 'unless Linkerd was installed with native sidecars',
    native: 'the annotation config.beta.linkerd.io/proxy-enable-native-sidecar: "true"',
    optOut: 'the annotation linkerd.io/inject: disabled',
  },
  {
    title: 'the Vault agent',
    pod: [['vault.hashicorp.com/agent-inject', TRUE]],
    without: [['vault.hashicorp.com/agent-pre-populate-only', TRUE]],
    shutdown: /agent\/v1\/quit/,
    quitsOnlyWith: 'vault.hashicorp.com/agent-enable-quit',
    optOut: 'the annotation vault.hashicorp.com/agent-pre-populate-only: "true"',
  },
  {
    title: 'the Consul proxy',
    pod: [['consul.hashicorp.com/connect-inject', TRUE]],
    without: [],
    shutdown: /graceful_shutdown/,
    optOut: 'the annotation consul.hashicorp.com/connect-inject: "false"',
  },
  {
    title: 'the Dapr sidecar',
    pod: [['dapr.io/enabled', TRUE]],
    without: [],
    shutdown: /v1\.0\/shutdown/,
    optOut: 'the annotation dapr.io/enabled: "false"',
  },
]

/** Any call that ends a neighbour, or a signal to it. */
export const SHUTDOWN: RegExp =
  /quitquitquit|pilot-agent|scuttle|4191\/shutdown|linkerd-await|agent\/v1\/quit|graceful_shutdown|v1\.0\/shutdown/

const SIGNAL = /\b(?:pkill|killall|kill)\b/

/** The first mark that labels or annotations below `base` carry; a templated value is none. */
export function markIn(object: Json | undefined, base: Path, marks: Marks): Path | undefined {
  for (const [key, wanted] of marks) {
    for (const part of ['annotations', 'labels']) {
      const path = [...base, part, key]
      const value = at(object, path)
      const text = typeof value === 'boolean' ? String(value) : value
      if (typeof text === 'string' && !isTemplated(text) && wanted.test(text)) return path
    }
  }
  return undefined
}

/** True when a container's command or image shows that it ends its neighbours. */
export function endsNeighbours(podSpec: Json | undefined, shutdown: RegExp): boolean {
  return allContainers(podSpec).some((container) => {
    const words = [...commandOf(container), stringAt(container, ['image']) ?? '']
    return words.some((text) => shutdown.test(text) || SIGNAL.test(text))
  })
}

function allContainers(podSpec: Json | undefined): readonly Json[] {
  return ['initContainers', 'containers'].flatMap((list) => listAt(podSpec, [list]))
}

/** Images of programs that serve until somebody stops them. */
const SERVERS: readonly (readonly [image: RegExp, title: string, quits: RegExp | undefined])[] = [
  [/(?:^|\/)(?:gce-proxy|cloud-?sql-proxy)$/, 'the Cloud SQL proxy', /quitquitquit/i],
  [/(?:^|\/)alloydb-auth-proxy$/, 'the AlloyDB proxy', /quitquitquit/i],
  [/(?:^|\/)(?:aws-for-)?fluent-bit$/, 'Fluent Bit', undefined],
  [/(?:^|\/)fluentd(?:-[\w-]+)?$/, 'Fluentd', undefined],
  [/(?:^|\/)filebeat$/, 'Filebeat', undefined],
  [/(?:^|\/)promtail$/, 'Promtail', undefined],
  [/(?:^|\/)vector$/, 'Vector', undefined],
  [/(?:^|\/)(?:proxyv2|envoy)$/, 'Envoy', /./],
  [/(?:^|\/)opentelemetry-collector(?:-[\w-]+)?$/, 'the OpenTelemetry collector', undefined],
  [/(?:^|\/)pgbouncer$/, 'PgBouncer', undefined],
  [/(?:^|\/)oauth2-proxy$/, 'oauth2-proxy', undefined],
  [/(?:^|\/)tailscale$/, 'Tailscale', undefined],
  [/(?:^|\/)cloudflared$/, 'cloudflared', undefined],
  [/^datadog(?:hq)?\/agent$/, 'the Datadog agent', undefined],
]

export interface Server {
  readonly index: number
  readonly title: string
  /** It can be told to end by a request from the work, if its settings say so. */
  readonly canQuit: boolean
}

/**
 * Containers beside the work that serve for ever: known images, started as they are. One that is
 * started by a script may well end with the work.
 */
export function serversIn(podSpec: Json | undefined): readonly Server[] {
  const containers = listAt(podSpec, ['containers'])
  const servers = containers.flatMap((container, index) => serverAt(container, index))
  return servers.length < containers.length ? servers : []
}

function serverAt(container: Json, index: number): readonly Server[] {
  const image = parseImage(stringAt(container, ['image']) ?? '')
  if (image === undefined) return []
  const words = commandOf(container)
  if (words.some((word) => /(?:^|\/)(?:ba|da|a|z)?sh$/.test(word) || /\s/.test(word.trim()))) {
    return []
  }
  const isDocker = image.repository.replace(/^library\//, '') === 'docker'
  if (isDocker && /(?:^|-)dind/.test(image.tag ?? '')) {
    return [{ index, title: 'the Docker daemon', canQuit: false }]
  }
  const known = SERVERS.find(([pattern]) => pattern.test(image.repository))
  if (known === undefined) return []
  const [, title, quits] = known
  const settings = [...words, ...variableNames(container)]
  const canQuit =
    quits !== undefined && (title === 'Envoy' || settings.some((one) => quits.test(one)))
  return [{ index, title, canQuit }]
}

function variableNames(container: Json): readonly string[] {
  return listAt(container, ['env']).flatMap((variable) => stringAt(variable, ['name']) ?? [])
}
