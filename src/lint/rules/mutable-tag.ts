import { at } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { hashInName, label } from '../helpers.ts'
import { isChannel, parseImage } from '../images.ts'
import { imagesOf } from '../pods.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * A tag that moves changes the program without changing the text, and what decides whether a Job
 * runs sees only the text. So the new program does not run; and when the Job does run again, it is
 * not the program that was reviewed.
 * Silent for digests, for tags with a digit (a version, as far as text can tell) and for tags that
 * only rendering knows. Silent for CronJobs: each run pulls what the tag means then, which is
 * often wanted.
 */
export const mutableTag: Rule = {
  id: 'mutable-tag',
  severity: 'warning',
  summary: 'An image tag that moves: a new program behind it does not run the Job again.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  if (!subject.traits.applies) return []
  const reported = new Set<string>()
  return imagesOf(subject).flatMap(({ path, image, container }) => {
    const moving = movingTag(image)
    if (moving === undefined || reported.has(image)) return []
    reported.add(image)
    const pulls = at(container, ['imagePullPolicy']) === 'Always'
    return [
      {
        at: path,
        what: `${label(subject)} runs ${image}, ${moving}`,
        why: whyOf(subject, image),
        remedy:
          'pin the digest (image:tag@sha256:...), or use a tag that is never pushed again' +
          (pulls ? '; imagePullPolicy: Always is no fix, there is no next pod to pull for' : ''),
      },
    ]
  })
}

function movingTag(image: string): string | undefined {
  const reference = parseImage(image)
  if (reference === undefined || reference.digest !== undefined) return undefined
  const { tag } = reference
  if (tag === undefined) return 'without a tag, which means latest'
  return isChannel(tag) ? `and the tag ${tag} moves` : undefined
}

function whyOf(subject: Subject, image: string): string {
  if (hashInName(subject) !== undefined) {
    return (
      `the hash in the name sees only the text ${image}: a new image behind it changes neither ` +
      'name nor object, so it never runs'
    )
  }
  if (subject.traits.hook !== undefined) {
    return 'a new image behind the tag starts nothing, and the next run takes whatever it means then'
  }
  return (
    'a new image behind the tag changes nothing in the manifest, so it never runs; and a Job that ' +
    'is created again runs a program that nobody reviewed'
  )
}
