import type { Path } from '../core/json.ts'
import type { Manifest } from '../core/manifest.ts'
import type { YamlDocument } from '../core/yaml/document.ts'
import type { Link, Repository, Subject } from '../ownership/subject.ts'
import { kustomizeLink } from './chain.ts'
import { label } from './helpers.ts'

/** An object of a document, and by which reader the engine that carries it reads the file. */
export interface ReadObject {
  readonly manifest: Manifest
  /** Undefined for a carrier: an object that configures an engine. */
  readonly subject?: Subject
  /** `Job shop/migrate`, `Kustomization flux-system/apps`. */
  readonly label: string
  readonly reader: 'kubernetes' | 'kustomize' | 'unknown'
  /** The link that reads with kustomize. */
  readonly kustomize?: Link
}

/** The documents that were read, also those inside other ones. */
export function documentsOf({ files, subjects }: Repository): ReadonlySet<YamlDocument> {
  const documents = new Set(files.flatMap((file) => file.documents))
  for (const { manifest } of subjects) documents.add(manifest.document)
  return documents
}

/**
 * Finds the Job, CronJob or carrier that holds a place of a document. An object inside another
 * one (the Job of a ResourceGraphDefinition) comes before it. Who reads what is worked out with
 * the first question, as most repositories never ask.
 */
export function ownerFinder(
  repository: Repository,
): (document: YamlDocument, path: Path) => ReadObject | undefined {
  let byDocument: ReadonlyMap<YamlDocument, readonly ReadObject[]> | undefined
  return (document, path) => {
    byDocument ??= objectsByDocument(repository)
    return byDocument.get(document)?.find((object) => isInside(object, path))
  }
}

function objectsByDocument({
  subjects,
}: Repository): ReadonlyMap<YamlDocument, readonly ReadObject[]> {
  const found = new Map<YamlDocument, ReadObject[]>()
  const put = (object: ReadObject): void => {
    const { document } = object.manifest
    const held = found.get(document)
    if (held === undefined) found.set(document, [object])
    else held.push(object)
  }
  const carriers = new Map<Manifest, Link | undefined>()
  for (const subject of subjects) {
    const { manifest, chain, traits } = subject
    const kustomize = kustomizeLink(chain)
    const reader = traits.assumed ? 'unknown' : 'kubernetes'
    put({ manifest, subject, label: label(subject), ...readBy(kustomize, reader) })
    for (const [index, link] of chain.entries()) {
      if (link.manifest === undefined || carriers.has(link.manifest)) continue
      // An object that configures an engine is itself read by the links before its own.
      carriers.set(link.manifest, kustomizeLink(chain.slice(0, index)))
    }
  }
  for (const [manifest, kustomize] of carriers) {
    const name = [manifest.namespace, manifest.name].filter(Boolean).join('/')
    put({ manifest, label: `${manifest.kind} ${name}`, ...readBy(kustomize, 'unknown') })
  }
  return found
}

function readBy(
  kustomize: Link | undefined,
  otherwise: 'kubernetes' | 'unknown',
): Pick<ReadObject, 'reader' | 'kustomize'> {
  return kustomize === undefined ? { reader: otherwise } : { reader: 'kustomize', kustomize }
}

function isInside({ manifest }: ReadObject, path: Path): boolean {
  return manifest.root.every((step, index) => path[index] === step)
}
