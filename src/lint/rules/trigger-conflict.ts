import { at, objectAt, stringAt, type JsonObject, type Path } from '../../core/json.ts'
import { placeOf } from '../../core/manifest.ts'
import { textOf, type Place } from '../../core/source.ts'
import { bytesOf, findBytes } from '../../core/yaml/bytes.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Subject } from '../../ownership/subject.ts'
import { annotationPath, contractOf, engineTitle, label, OR_CONVERGES } from '../helpers.ts'
import { parseImage } from '../images.ts'
import { imagesOf, podTemplatePath } from '../pods.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * Somebody beside the engine starts or changes the Job: Reloader deletes and creates it when a
 * ConfigMap changes, an image updater writes a new image under the same name, Keel changes a
 * CronJob that the engine changes back.
 * Silent where a repeat converges (Reloader), where the engine re-creates a changed Job or the
 * name is not fixed (image updaters), and for images that only rendering knows.
 */
export const triggerConflict: Rule = {
  id: 'trigger-conflict',
  severity: 'warning',
  summary: 'Reloader, Keel or an image updater acts on the Job besides the engine.',
  kinds: ['Job', 'CronJob'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  if (!subject.traits.applies) return []
  return [...reloader(subject), ...imageUpdater(subject), ...keel(subject)]
}

const RELOADER = /^(?:(?:configmap|secret)\.)?reloader\.stakater\.com\/(?:auto|reload|search)$/

/** It looks at the annotations of the object and of its pod template. */
function reloader(subject: Subject): readonly RuleFinding[] {
  if (contractOf(subject) === 'converges') return []
  const bases: readonly Path[] = [
    ['metadata', 'annotations'],
    [...podTemplatePath(subject), 'metadata', 'annotations'],
  ]
  for (const base of bases) {
    const annotations = objectAt(subject.object, base) ?? {}
    const key = Object.keys(annotations).find((one) => {
      const value = annotations[one]
      return RELOADER.test(one) && value !== 'false' && value !== '' && !isTemplated(value)
    })
    if (key !== undefined) return [reloads(subject, [...base, key])]
  }
  return []
}

function reloads(subject: Subject, path: Path): RuleFinding {
  return subject.kind === 'Job'
    ? {
        at: path,
        what: `Reloader deletes ${label(subject)} and creates it again when what it reads changes`,
        why:
          'it runs again under the same name at each change of a ConfigMap or Secret, a password ' +
          `rotation included; ${engineTitle(subject)} has no part in it, so nothing in Git says why`,
        remedy:
          'remove the annotation, and let the name follow the content that should run the Job; ' +
          OR_CONVERGES,
      }
    : {
        at: path,
        severity: 'info',
        what: `Reloader starts a run of ${label(subject)} at once when what it reads changes`,
        why:
          'it makes a Job of the CronJob outside of its schedule, and concurrencyPolicy has no say ' +
          'in that',
        remedy: `remove the annotation: the next run reads the new content anyway; ${OR_CONVERGES}`,
      }
}

/** A new image under a fixed name is refused, and with it what is applied beside it. */
function imageUpdater(subject: Subject): readonly RuleFinding[] {
  const { kind, traits, object } = subject
  const name = stringAt(object, ['metadata', 'name'])
  if (kind !== 'Job' || traits.hook !== undefined || traits.templateChange !== 'refused') return []
  if (name === undefined || isTemplated(name)) return []
  for (const { path, image } of imagesOf(subject)) {
    const updater = setterOf(subject, path) ?? listedIn(subject, image)
    if (updater === undefined) continue
    return [
      {
        at: path,
        what: `${updater.who} changes the image of ${label(subject)}, whose name stays the same`,
        why:
          'the pod template of an existing Job is immutable: each new image is refused, the new ' +
          `image never runs, and ${engineTitle(subject)} fails until a person deletes the Job`,
        remedy:
          'let the name follow the image (stamp it after the update), or take the Job out of the ' +
          'automation',
        related: updater.place === undefined ? [] : [{ place: updater.place, note: updater.who }],
      },
    ]
  }
  return []
}

interface Updater {
  readonly who: string
  readonly place?: Place
}

/** The marker of Flux's image automation is a comment behind the image, or behind its new tag. */
function setterOf(subject: Subject, path: Path): Updater | undefined {
  if (!mayHoldMarker(subject, path)) return undefined
  const { source, span } = subject.placeOf(path)
  const end = source.bytes.indexOf(LINE_FEED, Math.max(span.end - 1, span.start))
  const text = textOf(source, { start: span.start, end: end < 0 ? source.bytes.length : end })
  const policy = /#[^\n]*"\$imagepolicy": *"([^":]+:[^":]+)/.exec(text)?.[1]
  return policy === undefined ? undefined : { who: `the image policy ${policy.replace(':', '/')}` }
}

/** In its own file; or in another one, where somebody has changed the image. */
function mayHoldMarker({ object, manifest }: Subject, path: Path): boolean {
  const { source } = manifest.document
  return at(manifest.object, path) !== at(object, path) || findBytes(source.bytes, MARKER, 0) >= 0
}

const MARKER = bytesOf('$imagepolicy')
const LINE_FEED = 10

const LIST = 'argocd-image-updater.argoproj.io/image-list'

/** `alias=registry/image:constraint` on the Application. */
function listedIn({ carrier }: Subject, image: string): Updater | undefined {
  const paths: readonly Path[] = [
    annotationPath(LIST),
    ['spec', 'template', ...annotationPath(LIST)],
  ]
  const path = paths.find((one) => stringAt(carrier?.object, one) !== undefined)
  const wanted = path === undefined ? undefined : parseImage(image)
  if (carrier === undefined || path === undefined || wanted === undefined) return undefined
  const items = (stringAt(carrier.object, path) ?? '').split(',')
  const isListed = items.some((item) => {
    const listed = parseImage(item.trim().replace(/^[^=]*=/, ''))
    return listed?.repository === wanted.repository && listed.registry === wanted.registry
  })
  return isListed ? { who: 'Argo CD Image Updater', place: placeOf(carrier, path) } : undefined
}

/** Keel knows CronJobs, no Jobs; an engine that looks at what is there changes the image back. */
function keel(subject: Subject): readonly RuleFinding[] {
  const { kind, object, traits } = subject
  const { when } = traits.restoresAbsent
  if (kind !== 'CronJob' || traits.assumed || when === 'change' || when === 'never') return []
  const found = ['annotations', 'labels'].find((part) => isKept(object, part))
  if (found === undefined) return []
  return [
    {
      at: ['metadata', found, KEEL],
      what: `Keel changes the image of ${label(subject)}, and ${engineTitle(subject)} changes it back`,
      why: 'both write the same field: runs alternate between the image in Git and the newest one',
      remedy: 'let the update go through Git (image automation, a bot), and remove the Keel policy',
    },
  ]
}

const KEEL = 'keel.sh/policy'

function isKept(object: JsonObject, part: string): boolean {
  const value = stringAt(object, ['metadata', part, KEEL])
  return value !== undefined && value !== 'never' && !isTemplated(value)
}
