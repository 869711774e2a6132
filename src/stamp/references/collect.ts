import { isObject, stringAt, type Json, type Path } from '../../core/json.ts'
import type { FileReading, YamlDocument } from '../../core/yaml/document.ts'
import { NameFinder } from '../names-in-bytes.ts'
import { readerOf, readPart, type Part } from '../parts.ts'
import type { StampOptions } from '../stamp-types.ts'
import type { Target } from '../targets.ts'
import { mentionsIn } from './find.ts'
import { whole, type Mention } from './mention.ts'
import { isPatch, type NameIndex } from './names.ts'

/** A mention, where it stands, and whom it may mean. */
export interface Reference {
  readonly mention: Mention
  readonly part: Part
  readonly reading: FileReading
  readonly document: YamlDocument
  /** The nearest object around it, for messages: `Role shop/waiter`. */
  readonly holder: Holder
  readonly targets: readonly Target[]
  /** The stamped Job whose fingerprint covers the place. */
  readonly within: Target | undefined
  /** A Job that keeps its name although the place is part of what it runs. */
  readonly fixed: Target | undefined
}

export interface Holder {
  readonly kind: string | undefined
  readonly name: string | undefined
  readonly namespace: string | undefined
  readonly path: Path
}

/** Every mention of a Job that is stamped, in any document of the stream. */
export function collectReferences(
  parts: readonly Part[],
  targets: readonly Target[],
  index: NameIndex,
  options: StampOptions,
): readonly Reference[] {
  if (index.names.size === 0) return []
  const finder = new NameFinder(index.names)
  const reader = readerOf(options)
  const targetsOfPart = new Map<Part, Target[]>()
  for (const target of targets) {
    const before = targetsOfPart.get(target.part)
    if (before === undefined) targetsOfPart.set(target.part, [target])
    else before.push(target)
  }
  return parts.flatMap((part) => {
    if (!part.mentionsJob || !finder.isIn(part.source.bytes)) return []
    const inside = targetsOfPart.get(part) ?? []
    const reading = readPart(part, reader)
    return reading.documents.flatMap((document) =>
      referencesOf({ part, reading, document }, inside, index),
    )
  })
}

function referencesOf(
  where: Pick<Reference, 'part' | 'reading' | 'document'>,
  inside: readonly Target[],
  index: NameIndex,
): readonly Reference[] {
  const { part, document } = where
  const value = document.value()
  const here = inside.filter(({ manifest }) => manifest.document === document)
  const mentions = [...here.flatMap(patchMention), ...mentionsIn(value, index.isName)]
  return mentions.flatMap((mention) => {
    const holder = holderOf(value, mention.path)
    const found = index.resolve(mention, { file: part.file, namespace: holder.namespace })
    if (found.every(({ choice }) => choice.kind === 'leave')) return []
    const around = here.find((target) => isCovered(target, mention.path))
    const within = around?.choice.kind === 'stamp' ? around : undefined
    const fixed = around !== undefined && isFixed(around) ? around : undefined
    return [{ ...where, mention, holder, targets: found, within, fixed }]
  })
}

/** kustomize finds the Job that a patch changes by the patch's own name. */
function patchMention(target: Target): readonly Mention[] {
  const { name, kind, namespace, manifest } = target
  if (!isPatch(target) || name === undefined) return []
  const path = [...manifest.root, 'metadata', 'name']
  return [{ ...whole(path, name), kind, namespace, role: 'the name of a patch' }]
}

/** A hook is created anew each time, a CronJob can be changed, and the others have no name yet. */
function isFixed({ choice, kind }: Target): boolean {
  if (choice.kind === 'stamp' || kind === 'CronJob') return false
  return choice.code === 'opted-out' || choice.code === 'not-rendered'
}

/** Whether a fingerprint of the Job covers a place of its document. */
function isCovered({ manifest }: Target, path: Path): boolean {
  const { root } = manifest
  if (!root.every((step, index) => path[index] === step)) return false
  const below = path.slice(root.length)
  if (below[0] !== 'spec') return false
  // The pod's labels with the Job's own name are never part of a fingerprint.
  const [label, labels, metadata] = below.toReversed()
  const isOwnLabel = label === 'job-name' || label === 'batch.kubernetes.io/job-name'
  return !(isOwnLabel && labels === 'labels' && metadata === 'metadata')
}

/** The innermost Kubernetes object around a path. */
function holderOf(value: Json, path: Path): Holder {
  let holder: Holder = { kind: undefined, name: undefined, namespace: undefined, path: [] }
  let here: Json | undefined = value
  for (let length = 0; length <= path.length; length += 1) {
    if (isObject(here) && typeof here['kind'] === 'string' && isObject(here['metadata'])) {
      holder = {
        kind: here['kind'],
        name: stringAt(here, ['metadata', 'name']),
        namespace: stringAt(here, ['metadata', 'namespace']),
        path: path.slice(0, length),
      }
    }
    const step = path[length]
    if (step === undefined) break
    if (Array.isArray(here)) here = typeof step === 'number' ? (here[step] as Json) : undefined
    else here = isObject(here) && typeof step === 'string' ? here[step] : undefined
  }
  return holder
}
