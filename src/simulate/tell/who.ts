import type { TriggerKind } from '../../cluster/actor.ts'

/** How people call an actor, and what they call one round of its work. */
export interface Who {
  readonly name: string
  /** For `at every …`. */
  readonly occasion: string
  /** Asks it for a round at once; `{namespace}` and `{name}` are those of its object. */
  readonly ask?: string
  /** Where its own users say it otherwise than everybody. */
  readonly moments?: { readonly [kind in TriggerKind]?: string }
}

const ACTORS: { readonly [actor: string]: Who } = {
  'kustomize-controller': {
    name: 'Flux',
    occasion: 'reconcile',
    ask: 'flux reconcile kustomization {name} -n {namespace}',
  },
  'helm-controller': {
    name: 'Flux',
    occasion: 'Helm upgrade',
    ask: 'flux reconcile helmrelease {name} -n {namespace}',
    moments: { revision: 'with the next upgrade' },
  },
  'flux-operator': {
    name: 'flux-operator',
    occasion: 'reconcile',
    ask: 'flux-operator reconcile resourceset {name} -n {namespace}',
  },
  'argocd-application-controller': {
    name: 'Argo CD',
    occasion: 'sync',
    ask: 'argocd app sync {name}',
    moments: { interval: 'at its next refresh', request: 'at the next sync' },
  },
  kro: { name: 'kro', occasion: 'pass' },
  fleet: { name: 'Fleet', occasion: 'deploy' },
  fleetagent: { name: 'Fleet', occasion: 'deploy' },
  helm: {
    name: 'Helm',
    occasion: 'upgrade',
    moments: { request: 'at the next helm command' },
  },
  'cronjob-controller': { name: 'Kubernetes', occasion: 'tick' },
  'job-controller': { name: 'Kubernetes', occasion: 'look' },
  'ttl-after-finished-controller': { name: 'the TTL', occasion: 'look' },
  'garbage-collector': { name: 'the garbage collector', occasion: 'look' },
  person: { name: 'a person', occasion: 'request' },
  scenario: { name: 'a person', occasion: 'request' },
}

const COMMANDS = { schedule: 'at its next run', request: 'at the next command' }

/** An actor that nobody here has heard of is called as it calls itself. */
export function whoIs(actor: string): Who {
  const known = Object.hasOwn(ACTORS, actor) ? ACTORS[actor] : undefined
  if (known !== undefined) return known
  return actor.startsWith('kubectl')
    ? { name: 'kubectl', occasion: 'command', moments: COMMANDS }
    : { name: actor, occasion: 'round' }
}

/** When a round of this trigger comes, for the end of `restores it …`. */
export function momentOf(actor: string, kind: TriggerKind): string {
  return whoIs(actor).moments?.[kind] ?? MOMENTS[kind]
}

const MOMENTS: Readonly<Record<TriggerKind, string>> = {
  interval: 'at the next interval',
  revision: 'with the next revision',
  request: 'when somebody asks for it',
  retry: 'at the next retry',
  watch: 'as soon as it is gone',
  dependency: 'when what it depends on is ready',
  schedule: 'at the next tick',
  expiry: 'when a time is over',
  start: 'when its controller starts',
}
