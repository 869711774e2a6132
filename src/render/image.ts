import { stringAt, type JsonObject } from '../core/json.ts'
import { keyedMerge } from './merge.ts'
import type { TagPolicy } from './options.ts'
import type { JobScope } from './scope.ts'

export interface Image {
  readonly image: string
  readonly imagePullPolicy: string
}

/** `repository[:tag][@digest]`. An empty text is a value that is not there. */
export function imageOf(scope: JobScope, tagPolicy: TagPolicy): Image {
  const merged = keyedMerge([scope.root['image'], scope.group['image'], scope.job['image']])
  const part = (key: string): string => stringAt(merged, [key]) ?? ''
  const [repository, tag, digest] = [part('repository'), part('tag'), part('digest')]
  const imagePullPolicy = part('pullPolicy') || 'IfNotPresent'
  const image = `${repository}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`
  judge(scope, merged, { repository, tag, digest, imagePullPolicy, tagPolicy })
  return { image, imagePullPolicy }
}

interface Parts {
  readonly repository: string
  readonly tag: string
  readonly digest: string
  readonly imagePullPolicy: string
  readonly tagPolicy: TagPolicy
}

function judge(scope: JobScope, merged: JsonObject, parts: Parts): void {
  const { repository, tag, digest, imagePullPolicy, tagPolicy } = parts
  const at = scope.whereIs('image', tag === '' ? 'repository' : 'tag')
  if (repository === '' || (tag === '' && digest === '')) {
    const lacks = repository === '' ? 'no repository' : 'neither tag nor digest'
    scope.say('JG110', {
      text: `the image has ${lacks}`,
      remedy:
        'set image.repository and image.tag or image.digest on the job, the group or the root',
      at: Object.keys(merged).length === 0 ? scope.path : scope.whereIs('image'),
    })
    return
  }
  if (digest !== '') return
  const named = `${repository}:${tag}`
  if (tagPolicy === 'immutable') {
    scope.say('JG111', {
      text: `the image ${named} has a tag and no digest, and --tag-policy is immutable`,
      remedy: 'set image.digest: sha256:..., as the registry shows it',
      at,
      on: 'value',
    })
  } else if (tag === 'latest' && imagePullPolicy === 'IfNotPresent') {
    scope.say('JG111', {
      text: `the tag 'latest' with pullPolicy IfNotPresent runs whatever a node happens to have`,
      remedy: 'set a version or a digest; or pullPolicy: Always',
      at,
      on: 'value',
    })
  } else if (tagPolicy === 'warn') {
    scope.say('JG201', {
      text: `the image ${named} has no digest: when the tag moves, the name stays and nothing runs`,
      remedy: 'set image.digest, or never move tags and say --tag-policy allow',
      at,
      on: 'value',
    })
  }
}
