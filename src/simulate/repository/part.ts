import { isObject, objectAt, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import type { FullParser } from '../../core/yaml/document.ts'
import type { Applied } from '../../ownership/expand.ts'
import type { Subject } from '../../ownership/subject.ts'
import type { World } from '../../ownership/world.ts'
import type { Files } from '../scenario/stage.ts'

/** The Jobs that one carrier applies in one cluster; without one, those that nobody carries. */
export interface Load {
  readonly applied: Applied | undefined
  /** The carrier's object as its engine sees it. */
  readonly carrier: JsonObject | undefined
  readonly subjects: readonly Subject[]
}

/** What a load becomes. */
export interface Part {
  /** Of the stage. */
  readonly kind: string
  readonly settings?: JsonObject
  /** Nobody is known to apply it: it is taken that somebody does when it changes. */
  readonly isAssumed?: boolean
  readonly carriers: readonly JsonObject[]
  readonly files: Files
  readonly lanes: readonly PartLane[]
  readonly namespaces?: readonly string[]
  readonly notes?: readonly PartNote[]
}

/** A Job or CronJob as it will be applied, or why nobody can tell. */
export interface PartLane {
  readonly object: JsonObject
  readonly subject: Subject
  readonly unknown?: string
  /** Fields whose unknown text was left out, so that their defaults hold. */
  readonly leftOut?: readonly string[]
}

export interface PartNote {
  readonly id: 'not-followed' | 'assumed'
  readonly what: string
  readonly why: string
  /** Whose lanes it is about. */
  readonly subjects?: readonly Subject[]
}

/** What parts ask of the rest of the repository. */
export interface Around {
  readonly world: World
  readonly fullParser: FullParser | undefined
  /** What was made of these files, as long as none of them changes. */
  kept<Value>(what: string, paths: readonly string[], make: () => Value): Value
  /** The same of one object. */
  madeOf<Value>(object: JsonObject, what: string, make: () => Value): Value
  /** Whether the carrier of that kind, namespace and name is played in the same cluster. */
  isPlayed(kind: string, namespace: string, name: string): boolean
  /** Objects of carriers that carry no Job, as they are written. */
  carrierNamed(kind: string, namespace: string, name: string): JsonObject | undefined
}

/** JSON, which YAML readers read too. */
export function fileText(object: JsonObject): string {
  return `${JSON.stringify(object, (_, part: unknown) =>
    typeof part === 'bigint' ? Number(part) : part,
  )}\n`
}

/** A folder of Jobs, one file each, by names that stay while the Job stays. */
export function folderOf(folder: string, objects: readonly JsonObject[], around: Around): Files {
  const prefix = folder === '' ? '' : `${folder}/`
  return Object.fromEntries(
    objects.map((object) => {
      const text = around.madeOf(object, 'text', () => fileText(object))
      return [`${prefix}${fileName(object)}`, text]
    }),
  )
}

function fileName(object: JsonObject): string {
  const metadata = objectAt(object, ['metadata'])
  const generated = stringAt(metadata, ['generateName'])
  const parts = [
    stringAt(object, ['kind'])?.toLowerCase(),
    stringAt(metadata, ['namespace']),
    stringAt(metadata, ['name']) ?? (generated === undefined ? 'unnamed' : `${generated}x`),
  ]
  return `${parts.filter((part) => part !== undefined).join('.')}.yaml`
}

/** Two objects of one name in one load: the first one counts. */
export function identityOf(object: JsonObject): string {
  return fileName(object)
}

/** The first text below `spec` that only rendering can tell, with its field. */
export function templatedField(
  value: Json | undefined,
  path = 'spec',
): { readonly field: string; readonly text: string } | undefined {
  if (typeof value === 'string')
    return isTemplated(value) ? { field: path, text: value } : undefined
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) {
      const found = templatedField(item, `${path}[${index}]`)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (!isObject(value)) return undefined
  for (const [key, item] of Object.entries(value)) {
    const found = templatedField(item, `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** The named fields of an object, those that are there. */
export function picked(object: JsonObject | undefined, keys: readonly string[]): JsonObject {
  const found: { [key: string]: Json | undefined } = {}
  for (const key of keys) {
    const value = object?.[key]
    if (value !== undefined && value !== null) found[key] = value
  }
  return found
}
