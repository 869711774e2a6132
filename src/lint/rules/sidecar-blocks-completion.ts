import { at, objectAt, stringAt, type Json, type Path } from '../../core/json.ts'
import { placeOf, type Manifest } from '../../core/manifest.ts'
import type { Place } from '../../core/source.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Repository, Subject } from '../../ownership/subject.ts'
import { namespaceOf } from '../chain.ts'
import { label } from '../helpers.ts'
import { podTemplatePath } from '../pods.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import {
  endsNeighbours,
  INJECTORS,
  markIn,
  SHUTDOWN,
  serversIn,
  type Injector,
} from '../sidecars.ts'

/**
 * A Job is complete when all containers of its pod have ended. A proxy or agent beside the work
 * runs on, whether a mesh injects it or the template lists it, so the Job stays active for ever
 * although its work is done.
 * Silent for native sidecars (init containers with restartPolicy: Always), for opt-outs, where a
 * command ends the sidecar, on the host's network (which meshes leave alone), and where rendering
 * may bring an opt-out for what the namespace asks for.
 */
export const sidecarBlocksCompletion: Rule = {
  id: 'sidecar-blocks-completion',
  severity: 'warning',
  summary: 'A container that never ends keeps the Job from being complete.',
  kinds: ['Job', 'CronJob'],
  checkRepository,
}

function checkRepository({ subjects, manifests }: Repository): readonly RuleFinding[] {
  const namespaces = namespacesIn(manifests)
  return subjects.flatMap((subject) => {
    if (!subject.traits.applies) return []
    const podSpec = at(subject.object, [...podTemplatePath(subject), 'spec'])
    const found = [...injected(subject, podSpec, namespaces), ...listed(subject, podSpec)]
    return found.slice(0, 1)
  })
}

/** All Namespaces of names of which at least one asks for something. */
function namespacesIn(manifests: readonly Manifest[]): readonly Manifest[] {
  const all = manifests.filter(
    ({ kind, apiVersion }) => kind === 'Namespace' && apiVersion === 'v1',
  )
  const asking = new Set(
    all
      .filter(({ object }) =>
        INJECTORS.some(
          ({ namespace = [] }) => markIn(object, ['metadata'], namespace) !== undefined,
        ),
      )
      .map(({ name }) => name),
  )
  return all.filter(({ name }) => asking.has(name))
}

function injected(
  subject: Subject,
  podSpec: Json | undefined,
  namespaces: readonly Manifest[],
): readonly RuleFinding[] {
  const base = [...podTemplatePath(subject), 'metadata']
  const isAsked =
    holdsKey(at(subject.object, base)) ||
    namespaces.length > 0 ||
    objectAt(subject.carrier?.object, MANAGED) !== undefined
  if (!isAsked) return []
  return INJECTORS.flatMap((injector) => {
    const own = markIn(subject.object, base, injector.pod)
    const byOther = own === undefined ? askedBy(subject, injector, namespaces) : undefined
    // Hardly anybody asks, so that comes first.
    if (own === undefined && byOther === undefined) return []
    if (markIn(subject.object, base, injector.without) !== undefined) return []
    if (endsNeighbours(podSpec, injector.shutdown)) return []
    if (own !== undefined) return [byPod(subject, injector, { path: own, podSpec })]
    if (byOther === undefined || mayOptOut(subject, injector)) return []
    if (at(podSpec, ['hostNetwork']) === true) return []
    return [byNamespace(subject, injector, byOther)]
  })
}

/** Some label or annotation with which an injector is asked. */
function holdsKey(metadata: Json | undefined): boolean {
  return ['labels', 'annotations'].some((part) => {
    for (const key in objectAt(metadata, [part])) if (POD_KEYS.has(key)) return true
    return false
  })
}

const POD_KEYS: ReadonlySet<string> = new Set(
  INJECTORS.flatMap(({ pod }) => pod.map(([key]) => key)),
)

/** What an Application gives to the namespace that it creates. */
const MANAGED = ['spec', 'syncPolicy', 'managedNamespaceMetadata']

/** A templated mark, or labels and annotations that rendering may add. */
function mayOptOut(subject: Subject, { pod, without }: Injector): boolean {
  const template = podTemplatePath(subject)
  const base = [...template, 'metadata']
  const parts: readonly Path[] = [base, [...base, 'annotations'], [...base, 'labels']]
  if (subject.isOpen(template) || parts.some((path) => subject.isOpen(path))) return true
  return [...pod, ...without].some(([key]) =>
    parts.some((path) => isTemplated(at(subject.object, [...path, key]))),
  )
}

function byPod(
  subject: Subject,
  injector: Injector,
  { path, podSpec }: { readonly path: Path; readonly podSpec: Json | undefined },
): RuleFinding {
  const { quitsOnlyWith } = injector
  const base = path.slice(0, -2)
  const canQuit =
    quitsOnlyWith === undefined ||
    markIn(subject.object, base, [[quitsOnlyWith, /^(?!false$)/i]]) !== undefined ||
    at(podSpec, ['shareProcessNamespace']) === true
  const isOpen = [...['annotations', 'labels'].map((part) => [...base, part]), base].some((one) =>
    subject.isOpen(one),
  )
  return {
    at: path,
    ...words(subject, injector, !canQuit && !isOpen),
    subject,
    ...(canQuit || isOpen ? {} : { severity: 'error' }),
    // Who asks for it on a Job has mostly seen to the rest.
    ...(injector.unless === undefined ? {} : { severity: 'info' }),
  }
}

/** What asks for injection into the pods of a namespace. */
interface Asked {
  readonly place: Place
  readonly note: string
}

function byNamespace(subject: Subject, injector: Injector, { place, note }: Asked): RuleFinding {
  return {
    at: podTemplatePath(subject),
    show: 'key',
    subject,
    ...words(subject, injector, false),
    related: [{ place, note }],
  }
}

function words(
  subject: Subject,
  { title, optOut, unless, native = 'an init container with restartPolicy: Always' }: Injector,
  isSure: boolean,
): Pick<RuleFinding, 'what' | 'why' | 'remedy'> {
  return {
    what:
      `${label(subject)} ${isSure ? 'never completes' : 'may never complete'}: ${title} is ` +
      'injected and runs on when the work is done',
    why: `${reason(subject)}${unless === undefined ? '' : `; ${unless}`}`,
    remedy:
      `in this order: make it a native sidecar (${native}), ` +
      `opt the pod template out (${optOut}), or end it from the work in every case, ` +
      'without touching the exit code',
  }
}

function reason({ kind, object, traits }: Subject): string {
  const never =
    'a Job is complete when all containers of its pod have ended; the pod stays at 1/2, and ' +
    'activeDeadlineSeconds would make it Failed, not Complete'
  if (kind === 'CronJob') {
    return stringAt(object, ['spec', 'concurrencyPolicy']) === 'Forbid'
      ? `${never}; with concurrencyPolicy: Forbid the first run is the last one, and nothing is reported as failed`
      : `${never}; runs pile up, each with its pod`
  }
  return traits.waiter === undefined ? never : `${never}; ${traits.waiter.who} waits for it`
}

/** The Namespace, or what the Application gives the one that it creates. */
function askedBy(
  subject: Subject,
  injector: Injector,
  namespaces: readonly Manifest[],
): Asked | undefined {
  if (injector.namespace === undefined) return undefined
  const name = namespaceOf(subject)
  const marks = injector.namespace
  const without = injector.namespaceWithout ?? []
  const named = namespaces.filter((namespace) => name !== undefined && namespace.name === name)
  const asking = named.flatMap((manifest) => {
    const path = markIn(manifest.object, ['metadata'], marks)
    const isOff = markIn(manifest.object, ['metadata'], without) !== undefined
    return path === undefined || isOff ? [] : [{ manifest, path }]
  })
  const [first] = asking
  // Clusters may have one of the same name each, and not all of them inject.
  if (first !== undefined && asking.length === named.length) {
    const { manifest, path } = first
    return {
      place: placeOf(manifest, path),
      note: `Namespace ${name ?? ''}: ${said(manifest.object, path)}`,
    }
  }
  if (named.length > 0 || subject.carrier === undefined) return undefined
  const { object } = subject.carrier
  const path = objectAt(object, MANAGED) === undefined ? undefined : markIn(object, MANAGED, marks)
  if (path === undefined || markIn(object, MANAGED, without) !== undefined) return undefined
  return { place: placeOf(subject.carrier, path), note: `its namespace: ${said(object, path)}` }
}

function said(object: Json, path: Path): string {
  return `${String(path.at(-1))}: ${stringAt(object, path) ?? 'true'}`
}

/** Containers that the template itself lists beside the work. */
function listed(subject: Subject, podSpec: Json | undefined): readonly RuleFinding[] {
  const [server] = serversIn(podSpec)
  if (server === undefined || endsNeighbours(podSpec, SHUTDOWN)) return []
  const path = [...podTemplatePath(subject), 'spec', 'containers', server.index]
  const isSure = !server.canQuit && at(podSpec, ['shareProcessNamespace']) !== true
  return [
    {
      subject,
      at: [...path, 'image'],
      what:
        `${label(subject)} ${isSure ? 'never completes' : 'may never complete'}: ${server.title} ` +
        'runs beside the work and does not end',
      why: reason(subject),
      remedy:
        'move the container to initContainers with restartPolicy: Always, where it ends with the ' +
        'work; or end it from the work in every case, without touching the exit code',
      ...(isSure ? { severity: 'error' } : {}),
    },
  ]
}
