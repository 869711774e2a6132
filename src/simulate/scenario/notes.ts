import { stringAt } from '../../core/json.ts'
import { objectsOf } from '../trace/manifests.ts'
import type { ObjectRef } from '../world/world.ts'
import type { ScenarioEvent } from './format.ts'
import type { Repository } from './git.ts'
import type { Files } from './stage.ts'
import { refIn, settingIn, type Setting } from './words.ts'

/**
 * Commits that are told in words: `crm-flags round=1`, `liquibase image v17 -> v18`, `only
 * spec.replicas of X changes (3, 4, ...)` (which counts up), `web: replicas 2 -> 3`, `hook.yaml
 * deleted`, `revert c2`, `README only` (a commit that changes nothing here); several with `;`
 * between them. Without a name of a commit, a sentence that says no change is a remark. `fault`: it
 * is a commit, and nobody can tell what changes.
 */
export function commitOfNote(
  event: ScenarioEvent,
  repository: Repository,
  nth: number,
): string | { readonly fault: string } | undefined {
  const note = (event.note ?? '').replace(/^commit \S+:\s*/, '').trim()
  if (note === '')
    return event.commit === undefined ? undefined : repository.commit(event, repository.files)
  const reverted = revertOf(note, repository)
  if (reverted !== undefined) return repository.commit(event, reverted)
  let files: Files = repository.files
  let isChange = false
  for (const clause of note.split(/\s*;\s*/)) {
    const made = afterClause(clause, files, nth)
    if (typeof made === 'object') {
      files = made
      isChange = true
    } else if (made === 'unknown' && isMeant(event, clause)) {
      return { fault: `nobody can tell what changes by ${JSON.stringify(clause)}` }
    }
  }
  if (!isChange && !isMeant(event, note)) return undefined
  return repository.commit(event, files)
}

/** A commit has a name, or its sentence has an arrow or says so. */
function isMeant({ commit, note = '' }: ScenarioEvent, clause: string): boolean {
  return commit !== undefined || /^commit \S+:/.test(note) || /->|→/.test(clause)
}

const NOTHING =
  /\b(?:readme|docs?|documentation|unrelated|empty|nothing|no changes?|unchanged|other (?:app|folder|path|team|files?)|another (?:app|folder|path|team|file)|comments? only|only comments?|whitespace|same (?:content|files?))\b/i

type Clause = Files | 'nothing' | 'unknown'

function afterClause(clause: string, files: Files, nth: number): Clause {
  const gone =
    /(\S+\.ya?ml)\s+(?:is\s+)?(?:deleted|removed|gone)|(?:deletes?|removes?)\s+(\S+\.ya?ml)/i.exec(
      clause,
    )
  if (gone !== null) return without(files, gone[1] ?? gone[2] ?? '') ?? 'unknown'
  const known = objectsIn(files)
  const about = refIn(clause, known)
  const counted = /([\w.[\]/-]+)(?: of (\S+))? changes?:? \((\d+)/.exec(clause)
  const setting =
    counted === null
      ? settingIn(clause.replace(/\([^)]*\)\s*$/, ''), about)
      : settingIn(`${counted[1] ?? ''} to ${Number(counted[3]) + nth}`, about)
  const made = setting === undefined ? undefined : changed(files, about, clause, setting)
  if (made !== undefined) return made
  return NOTHING.test(clause) ? 'nothing' : 'unknown'
}

function without(files: Files, name: string): Files | undefined {
  const path = Object.keys(files).find((one) => `/${one}`.endsWith(`/${name}`))
  if (path === undefined) return undefined
  const { [path]: _, ...rest } = files
  return rest
}

function revertOf(note: string, repository: Repository): Files | undefined {
  const found =
    /\b(?:reverts?|undo(?:es)?|back)\b(?:\s+(to)\b)?(?:\s+(?:commit\s+)?([\w-]+))?/i.exec(note)
  if (found === null || /->/.test(note)) return undefined
  const isBackTo = found[1] !== undefined || /^back/i.test(found[0])
  const named = found[2] ?? repository.last ?? ''
  return (
    repository.filesOf(named, isBackTo ? 'itself' : 'before') ??
    repository.filesOf(repository.last ?? '', 'before')
  )
}

export function objectsIn(files: Files): readonly ObjectRef[] {
  return Object.entries(files).flatMap(([path, text]) => {
    if (!/\.(?:ya?ml|json)$/.test(path) || text.includes('{{')) return []
    return objectsOf(path, text).flatMap((object): readonly ObjectRef[] => {
      const kind = stringAt(object, ['kind'])
      const name =
        stringAt(object, ['metadata', 'name']) ?? stringAt(object, ['metadata', 'generateName'])
      const namespace = stringAt(object, ['metadata', 'namespace'])
      if (kind === undefined || name === undefined) return []
      return [{ kind, name, ...(namespace === undefined ? {} : { namespace }) }]
    })
  })
}

/** Undefined when nothing of it is there. */
function changed(
  files: Files,
  about: ObjectRef | undefined,
  clause: string,
  setting: Setting,
): Files | undefined {
  const file = /(?:^|[\s(])([\w./-]+\.ya?ml)\b/.exec(clause)?.[1]
  let isChanged = false
  const next = Object.entries(files).map(([path, text]) => {
    if (file !== undefined && !`/${path}`.endsWith(`/${file}`)) return [path, text]
    const parts = text.split(/^(?=---)/m).map((part) => {
      if (about !== undefined && !isNamed(part, about.name)) return part
      // One place: without a name, the first file that has it.
      if (about === undefined && isChanged) return part
      const made = withSetting(part, setting)
      if (made === undefined) return part
      isChanged = true
      return made
    })
    return [path, parts.join('')]
  })
  return isChanged ? (Object.fromEntries(next) as Files) : undefined
}

function isNamed(text: string, name: string): boolean {
  return new RegExp(`["']?[nN]ame["']?:\\s*["']?${escaped(name)}["']?\\s*(?:[,}#]|$)`, 'm').test(
    text,
  )
}

function withSetting(text: string, { field, from, to }: Setting): string | undefined {
  if (field === 'image') {
    const image = imageSet(text, from, to)
    if (image !== undefined) return image
  }
  const key = (field === 'image' ? 'tag' : field).split('.').at(-1) ?? ''
  const old = from === undefined ? `[^\\s"',}\\]]*` : escaped(from)
  const line = new RegExp(
    `(["']?\\b${escaped(key)}["']?:[ \\t]*)(["']?)${old}\\2(?=[\\s,}\\]]|$)`,
    'm',
  )
  if (line.test(text)) {
    return text.replace(line, (_, start: string, quote: string) => `${start}${quote}${to}${quote}`)
  }
  // A new key of a ConfigMap's data.
  const isNew = from === undefined && /^kind:\s*(?:ConfigMap|Secret)\b/m.test(text)
  if (!isNew || !/^data:\s*$/m.test(text)) return undefined
  return text.replace(/^data:\s*$/m, `data:\n  ${key}: ${JSON.stringify(to)}`)
}

/** Every image with the tag `from`; without it the first one. `to`: a tag, a digest, or all of it. */
function imageSet(text: string, from: string | undefined, to: string): string | undefined {
  const images = /(["']?\bimage["']?:\s*["']?)([^\s"',}\]]+)/g
  let isChanged = false
  const made = text.replaceAll(images, (all, start: string, image: string) => {
    const tag = /:([^:/@]+)(?:@.*)?$/.exec(image)?.[1]
    const isMeant = from === undefined ? !isChanged : from === tag || from === image
    if (!isMeant) return all
    isChanged = true
    if (/[/:]/.test(to) && !to.startsWith('sha256:')) return `${start}${to}`
    const bare = image.replace(/@.*$/, '').replace(/:[^:/]+$/, '')
    return to.startsWith('sha256:') ? `${start}${bare}@${to}` : `${start}${bare}:${to}`
  })
  return isChanged ? made : undefined
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
