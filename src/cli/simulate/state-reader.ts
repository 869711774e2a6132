import path from 'node:path'
import type { Listing } from '../../adapters/files.ts'
import type { GitHistory } from '../../adapters/git-history.ts'
import type { ListedFile } from '../../adapters/read-source.ts'
import { buildRepository, type RepositoryInput } from '../../ownership/repository.ts'
import type { Repository } from '../../ownership/subject.ts'
import type { Run } from '../judge.ts'
import { readFiles, type KnownReadings, type Overlay } from '../read.ts'
import { inputOf } from '../repository-input.ts'

/** Blobs by path. */
export type Tree = ReadonlyMap<string, string>

export interface State {
  readonly repository: Repository
  readonly input: RepositoryInput
}

/** Reads the files of commits as a run reads those of the working tree. */
export class StateReader {
  readonly #run: Run
  readonly #history: GitHistory
  readonly #known: KnownReadings = new Map()
  readonly #entries = new Map<string, ListedFile | undefined>()

  constructor(run: Run, history: GitHistory) {
    this.#run = run
    this.#history = history
  }

  /** Reads what any of the commits will need. */
  prepare(trees: readonly Tree[]): void {
    const blobs = new Set<string>()
    for (const tree of trees) {
      for (const [name, blob] of tree) if (this.#isRead(name)) blobs.add(blob)
    }
    this.#history.prepare(blobs)
  }

  isSame(one: Tree, other: Tree): boolean {
    for (const [name, blob] of other)
      if (one.get(name) !== blob && this.#matters(name)) return false
    for (const name of one.keys()) if (!other.has(name) && this.#matters(name)) return false
    return true
  }

  async state(tree: Tree): Promise<State> {
    const run = this.#run
    const { options, io, progress, loadFullParser } = run
    const entries: ListedFile[] = []
    const blobs = new Map<string, string>()
    for (const [name, blob] of tree) {
      const entry = this.#entry(name)
      if (entry === undefined) continue
      entries.push(entry)
      blobs.set(entry.path, blob)
    }
    const overlay = new BlobOverlay(blobs, this.#history)
    const how = { io, maxFileBytes: options.maxFileBytes, progress, loadFullParser, overlay }
    const reading = await readFiles(entries, { ...how, known: this.#known })
    const listing: Listing = { ...run.listing, entries }
    const input = inputOf({ ...run, listing, reading, overlay })
    const repository = buildRepository(input)
    if (repository.needsFullParser !== true) return { repository, input }
    const whole = { ...input, fullParser: await loadFullParser() }
    return { repository: buildRepository(whole), input: whole }
  }

  #matters(name: string): boolean {
    return this.#entry(name) !== undefined
  }

  #isRead(name: string): boolean {
    return (
      /\.(?:ya?ml|json|tpl|txt|env|properties|conf)$|(?:^|\/)Kustomization$/.test(name) &&
      this.#matters(name)
    )
  }

  /** As the run would name it; undefined for what it does not look at. */
  #entry(name: string): ListedFile | undefined {
    if (!this.#entries.has(name)) this.#entries.set(name, this.#entryOf(name))
    return this.#entries.get(name)
  }

  #entryOf(name: string): ListedFile | undefined {
    const { naming, config, options } = this.#run
    const absolute = path.join(this.#history.top, name)
    if (name.split('/').includes('node_modules')) return undefined
    if (!naming.covers(absolute) || options.leftOut.includes(absolute)) return undefined
    if (config?.skips(absolute) === true) return undefined
    return { path: naming.shown(absolute), absolute, isNamed: false }
  }
}

/** The files of a commit in the place of those on disk; contents come when they are asked for. */
class BlobOverlay extends Map<string, Uint8Array> implements Overlay {
  readonly #blobs: ReadonlyMap<string, string>
  readonly #history: GitHistory

  constructor(blobs: ReadonlyMap<string, string>, history: GitHistory) {
    super()
    this.#blobs = blobs
    this.#history = history
  }

  override get(name: string): Uint8Array | undefined {
    const blob = this.#blobs.get(name)
    return blob === undefined ? undefined : this.#history.bytes(blob)
  }
}
