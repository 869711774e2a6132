import type { Path } from '../../core/json.ts'
import { commandMentions, roughWords } from './command.ts'
import { kindOfResource, type IsName, type Mention } from './mention.ts'

/**
 * What looks like the name of a Job in text that may be anything: a script, a ConfigMap's file, a
 * patch. All of it in doubt, so that it is shown to a person and never rewritten.
 */
export function textMentions(path: Path, text: string, isName: IsName): readonly Mention[] {
  if (!MENTIONS_JOB.test(text)) return []
  const found = [
    ...slashed(text, isName),
    ...selected(text, isName),
    ...commanded(text, isName),
    ...manifested(text, isName),
  ]
  const seen = new Set<number>()
  return found.flatMap((part): readonly Mention[] => {
    if (seen.has(part.start)) return []
    seen.add(part.start)
    return [{ path, text, namespace: undefined, ...part }]
  })
}

type Part = Pick<Mention, 'start' | 'end' | 'kind' | 'role'> & { readonly doubt: string }

const MENTIONS_JOB = /job|cj/i
const NAME = '[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?'
const SCRIPT = 'it stands in a script or a longer text, where it may mean something else'

const SLASHED = new RegExp(String.raw`(?<![\w./-])([a-z.\d]*[a-z])/(${NAME})(?![\w/:-])`, 'gi')

/** `job/NAME`, not as part of a longer path or of an image. */
function slashed(text: string, isName: IsName): readonly Part[] {
  return [...text.matchAll(SLASHED)].flatMap((match): readonly Part[] => {
    const kind = kindOfResource(match[1] ?? '')
    const name = match[2] ?? ''
    if (kind === undefined || !isName(kind, name)) return []
    const end = match.index + match[0].length
    return [{ start: end - name.length, end, kind, role: 'a text', doubt: SCRIPT }]
  })
}

const SELECTED = new RegExp(String.raw`(?<![\w.])job-name(?:==?|:\s*["']?)(${NAME})(?![\w/-])`, 'g')

function selected(text: string, isName: IsName): readonly Part[] {
  return [...text.matchAll(SELECTED)].flatMap((match): readonly Part[] => {
    const name = match[1] ?? ''
    if (!isName('Job', name)) return []
    const end = match.index + match[0].length
    const role = "a selector of the Job's pods"
    return [{ start: end - name.length, end, kind: 'Job', role, doubt: SCRIPT }]
  })
}

/** `kubectl wait job NAME`, one command of a script after the other. */
function commanded(text: string, isName: IsName): readonly Part[] {
  return [...text.matchAll(/[^\n;|&]+/g)].flatMap((line) =>
    commandMentions(roughWords(line[0], line.index, 0), isName, 'text').map(
      ({ start, end, kind, role }): Part => ({ start, end, kind, role, doubt: SCRIPT }),
    ),
  )
}

const NAME_FIELD = new RegExp(
  String.raw`^([ \t-]*["']?name["']?:[ \t]*["']?)(${NAME})["']?[ \t]*,?(?:#.*)?$`,
  'gm',
)

/** `kind: Job` and `name: NAME` in text that holds a manifest or a patch. */
function manifested(text: string, isName: IsName): readonly Part[] {
  const kinds = [...text.matchAll(/^[ \t-]*["']?kind["']?:[ \t]*["']?(Job|CronJob)\b/gm)]
  if (kinds.length === 0) return []
  return [...text.matchAll(NAME_FIELD)].flatMap((match): readonly Part[] => {
    const [, before = '', name = ''] = match
    const kind = kinds.some(([, word]) => word === 'Job') ? 'Job' : 'CronJob'
    if (!isName(kind, name)) return []
    const start = match.index + before.length
    const doubt = 'it stands in a manifest or patch that is text here'
    return [{ start, end: start + name.length, kind, role: 'a text', doubt }]
  })
}
