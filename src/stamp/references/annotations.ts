import type { Path } from '../../core/json.ts'
import { kindOfResource, whole, type IsName, type Mention } from './mention.ts'

const DEPENDS_ON = 'config.kubernetes.io/depends-on'

/**
 * Annotations that name a Job: `config.kubernetes.io/depends-on`, a value like `Job/NAME`, and a
 * key that speaks of an owner or a dependency (`example.com/owner-job`) with exactly the name as
 * its value. Any other key that speaks of a job is in doubt: `prometheus.io/job` means no Job.
 */
export function annotationMentions(
  key: string,
  value: string,
  path: Path,
  isName: IsName,
): readonly Mention[] {
  if (key === DEPENDS_ON) return dependencies(value, path, isName)
  const slash = /^(?:batch\/(?:v\d\w*\/)?)?([a-z0-9.]+)\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)$/i.exec(
    value,
  )
  const kind = slash === null ? undefined : kindOfResource(slash[1] ?? '')
  const role = `the annotation ${key}`
  if (slash !== null && kind !== undefined) {
    const name = slash[2] ?? ''
    if (!isName(kind, name)) return []
    const start = value.length - name.length
    return [{ path, text: value, start, end: value.length, kind, namespace: undefined, role }]
  }
  const said = kindInKey(key)
  if (said === undefined || !isName(said, value)) return []
  const mention: Mention = { ...whole(path, value), kind: said, namespace: undefined, role }
  if (RELATION.test(key)) return [mention]
  return [{ ...mention, doubt: 'the key does not say that the value is a Kubernetes Job' }]
}

/** `batch/namespaces/shop/Job/migrate, /namespaces/shop/ConfigMap/settings`. */
function dependencies(value: string, path: Path, isName: IsName): readonly Mention[] {
  const pattern = /(?:^|,)\s*batch\/namespaces\/([^/,\s]+)\/(Job|CronJob)\/([^/,\s]+)/g
  return [...value.matchAll(pattern)].flatMap((match): readonly Mention[] => {
    const [, namespace, word, name = ''] = match
    const kind = word === 'Job' ? 'Job' : 'CronJob'
    if (!isName(kind, name)) return []
    const end = match.index + match[0].length
    const role = `the annotation ${DEPENDS_ON}`
    return [{ path, text: value, start: end - name.length, end, kind, namespace, role }]
  })
}

/** `owner-job`, `waitForJob`, `depends-on.job`. */
const RELATION = /(?:owner|parent|depend|wait|after|before|need|requir|block)/i

/** The last word of the key's name: `wait-for-job`, `owner.job`, `jobName`. */
function kindInKey(key: string): Mention['kind'] | undefined {
  const name = key.slice(key.lastIndexOf('/') + 1)
  const match = /(?:^|[-._]|[a-z](?=[A-Z]))(cron-?job|job)(?:[-._]?name)?$/i.exec(name)
  if (match === null) return undefined
  return match[1]?.toLowerCase() === 'job' ? 'Job' : 'CronJob'
}
