import type { Path } from '../core/json.ts'
import type { Manifest } from '../core/manifest.ts'
import type { YamlDocument } from '../core/yaml/document.ts'
import type { Origin } from './traced.ts'
import type { Tree } from './tree.ts'

/** What the parts of ownership ask of the repository. Everything is read once and kept. */
export interface World {
  readonly tree: Tree
  /** Paths of the files that hold a Job or CronJob, sorted. */
  readonly jobFiles: readonly string[]
  /** The Jobs and CronJobs of a file. */
  jobsIn(path: string): readonly Manifest[]
  /** Every document of a file, also those that hold no Kubernetes object. */
  documentsIn(path: string): readonly YamlDocument[]
  /** The documents of text that stands as a scalar at `path` of another document. */
  embedded(document: YamlDocument, path: Path): readonly YamlDocument[]
  /** A sentence on what could not be followed, once per place and sentence. */
  note(origin: Origin, what: string, why: string): void
}
