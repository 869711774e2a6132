import { at, objectAt, stringAt, type Path } from '../../core/json.ts'
import { actionsOf, isTemplated } from '../../core/templates.ts'
import type { Subject } from '../../ownership/subject.ts'
import { engineTitle, hashInName, label, mayBecomeHook } from '../helpers.ts'
import { imagesOf, podTemplatePath, podTemplateText } from '../pods.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * A label or annotation of the pod template follows the version of the chart, or the content of
 * another object, and the name of the Job does not. Each release of the chart is then an immutable
 * change, although nothing that runs has changed.
 * Silent on the metadata of the Job itself, for hooks and engines that re-create a changed Job, for
 * CronJobs, where the version stands in the image too, and for a name that follows it.
 */
export const chartLabelInTemplate: Rule = {
  id: 'chart-label-in-template',
  severity: 'warning',
  summary: 'A chart version or checksum in the pod template: the next release is refused.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { traits, object } = subject
  if (!traits.applies || traits.hook !== undefined || traits.templateChange !== 'refused') return []
  const name = stringAt(object, ['metadata', 'name'])
  const found = name === undefined ? undefined : (written(subject) ?? included(subject))
  if (name === undefined || found === undefined) return []
  return mayBecomeHook(subject) || mayFollow(subject, name) ? [] : [finding(subject, found)]
}

/** What makes the template change. */
interface Mark {
  readonly at: Path
  readonly show?: 'key'
  readonly words: string
  readonly kind: 'version' | 'checksum'
}

/**
 * A name with the version, a hash or a clock in it changes together with the template; so may one
 * that a named template makes which is not in the chart, unless it is the usual full name.
 */
function mayFollow(subject: Subject, name: string): boolean {
  const bodies = withIncluded(subject, actionsOf(name).join(' '))
  return bodies.some(({ of, body }) =>
    body === undefined ? !/(?:^|\.)(?:full)?name$/.test(of) : FOLLOWS.test(body),
  )
}

const FOLLOWS =
  /\.Chart\.(?:App)?Version\b|\.Revision\b|sha\d+sum|md5sum|adler32sum|\brand|\bnow\b|uuid/

function written(subject: Subject): Mark | undefined {
  const base = [...podTemplatePath(subject), 'metadata']
  for (const part of ['labels', 'annotations']) {
    const entries = objectAt(subject.object, [...base, part]) ?? {}
    for (const [key, value] of Object.entries(entries)) {
      const kind = kindOf(subject, key, typeof value === 'string' ? value : '')
      if (kind === undefined) continue
      return { at: [...base, part, key], kind, words: `the ${part.slice(0, -1)} ${key}` }
    }
  }
  return undefined
}

function kindOf(subject: Subject, key: string, value: string): Mark['kind'] | undefined {
  if (/^checksum[/.]/.test(key) || key === 'fluxcd.controlplane.io/checksumFrom') return 'checksum'
  if (/sha\d+sum/.test(value)) return 'checksum'
  if (key === 'helm.sh/chart' || /\.Chart\.Version\b/.test(value)) return 'version'
  return /\.Chart\.AppVersion\b/.test(value) && !isInImage(subject) ? 'version' : undefined
}

/** A new program is a change of its own. */
function isInImage(subject: Subject): boolean {
  return imagesOf(subject).some(({ image }) => /AppVersion/.test(image) || /include/.test(image))
}

/** The labels that the chart gives to all its objects, by the named template that lists them. */
function included(subject: Subject): Mark | undefined {
  const base = [...podTemplatePath(subject), 'metadata']
  if (subject.manifest.file.template === undefined) return undefined
  if (at(subject.object, base) === undefined) return undefined
  const text = podTemplateText(subject)
  const spec = text.search(/^\s*spec:/m)
  const metadata = text.search(/^\s*metadata:/m)
  if (metadata < 0 || spec < metadata) return undefined
  for (const name of includesIn(text.slice(metadata, spec))) {
    if (!holdsChart(subject, name)) continue
    return { at: base, show: 'key', kind: 'version', words: `the labels of ${name}` }
  }
  return undefined
}

function holdsChart(subject: Subject, name: string): boolean {
  return withIncluded(subject, `include "${name}"`).some(
    ({ body }) => body !== undefined && /^\s*helm\.sh\/chart:|\.Chart\.Version\b/m.test(body),
  )
}

interface Body {
  readonly of: string
  readonly body: string | undefined
}

const MOST_INCLUDES = 20

/** A text, and the named templates that it includes, at any depth. */
function withIncluded(subject: Subject, text: string): readonly Body[] {
  const names = new Set(includesIn(text))
  const bodies: Body[] = [{ of: '', body: text }]
  for (const name of names) {
    const body = subject.definition(name)
    bodies.push({ of: name, body })
    if (names.size < MOST_INCLUDES) for (const inner of includesIn(body ?? '')) names.add(inner)
  }
  return bodies
}

function includesIn(text: string): readonly string[] {
  return [...text.matchAll(/\b(?:include|template)\s+"([^"]+)"/g)].map(([, name]) => name ?? '')
}

function finding(subject: Subject, { at: path, show, words, kind }: Mark): RuleFinding {
  const isVersion = kind === 'version'
  const hash = isTemplated(stringAt(subject.object, ['metadata', 'name']))
    ? undefined
    : hashInName(subject)
  return {
    at: path,
    ...(show === undefined ? {} : { show }),
    what: isVersion
      ? `the pod template of ${label(subject)} carries the version of the chart (${words})`
      : `the pod template of ${label(subject)} carries a checksum of other content (${words})`,
    why:
      hash === undefined
        ? `${isVersion ? 'each release of the chart' : 'each change of that content'} changes the ` +
          `template, and the name stays: ${engineTitle(subject)} fails (field is immutable), ` +
          'although nothing that runs has changed'
        : `${hash}: either it follows this too, and ` +
          `${isVersion ? 'each release of the chart' : 'each such change'} runs the Job again for ` +
          'nothing, or it does not, and the apply is refused (field is immutable)',
    remedy: isVersion
      ? 'leave it out of the pod template (the selector labels are enough); on the metadata of ' +
        'the Job itself it does no harm'
      : 'leave it out, or, if that content should run the Job, put the checksum into its name',
  }
}
