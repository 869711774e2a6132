import type { ScenarioEvent } from './format.ts'
import { patched } from './diff.ts'
import type { Files } from './stage.ts'

/**
 * The files in Git after each event. `apply` names what is there from then on; a file of the
 * folder `commits` (`commits/048h-job.yaml`) is a later content of the file that ends so, and a diff
 * (`commits/020h.diff`) changes what is there.
 */
export class Repository {
  readonly #folder: Files
  #files: Files = {}
  readonly #commits: { readonly name: string; readonly files: Files }[] = []

  constructor(folder: Files) {
    this.#folder = folder
  }

  get files(): Files {
    return this.#files
  }

  /** All files of the scenario's folder. */
  get folder(): Files {
    return this.#folder
  }

  /** The next commit's content, or what is not there. */
  apply(
    event: ScenarioEvent,
    chosen: readonly string[] = [],
  ): string | { readonly missing: string } {
    const given = typeof event.apply === 'string' ? [event.apply] : (event.apply ?? [])
    const named = given
      .flatMap((path) => (path === 'variant' ? chosen : [path]))
      .map((path) => path.replace(/^\.\//, ''))
    const next: { [path: string]: string } = {}
    const diffs = named.filter((path) => /\.(?:diff|patch)$/.test(path))
    const whole = named.filter((path) => !diffs.includes(path))
    for (const one of whole) {
      const paths = this.#below(one)
      if (paths.length === 0) return { missing: `${one} is not in the folder` }
      for (const path of paths) next[this.#placeOf(path)] = this.#folder[path] ?? ''
    }
    if (whole.length === 0 && diffs.length > 0) Object.assign(next, this.#files)
    let files: Files = next
    for (const path of diffs) {
      const text = this.#folder[path]
      if (text === undefined) return { missing: `${path} is not in the folder` }
      const made = patched(files, text)
      if (made === undefined) return { missing: `${path} does not fit the files that it changes` }
      files = made
    }
    return this.commit(event, files)
  }

  /** A commit with these files. */
  commit(event: ScenarioEvent, files: Files): string {
    const name = event.commit ?? `commit-${this.#commits.length + 1}`
    this.#files = { ...files }
    this.#commits.push({ name, files: this.#files })
    return name
  }

  /** The files of a commit, or of the one before it. */
  filesOf(name: string, which: 'itself' | 'before' = 'itself'): Files | undefined {
    const at = this.#commits.findLastIndex((commit) => commit.name === name)
    return at < 0 ? undefined : this.#commits[which === 'before' ? at - 1 : at]?.files
  }

  get last(): string | undefined {
    return this.#commits.at(-1)?.name
  }

  #below(path: string): readonly string[] {
    if (this.#folder[path] !== undefined) return [path]
    const start = path === '.' ? '' : `${path.replace(/\/$/, '')}/`
    return Object.keys(this.#folder).filter(
      (one) => one.startsWith(start) && (start !== '' || isOfWork(one)),
    )
  }

  /** `commits/048h-job.yaml` stands where `job.yaml` stood before. */
  #placeOf(path: string): string {
    const later = /^commits\/\d+h(?:\d+m)?-(.+)$/.exec(path)?.[1]
    if (later === undefined) return path
    const known = [...Object.keys(this.#files), ...Object.keys(this.#folder)]
    return (
      known.find((one) => !one.startsWith('commits/') && `/${one}`.endsWith(`/${later}`)) ?? later
    )
  }
}

/** The folder as a whole has files of the case beside those of its repository. */
function isOfWork(path: string): boolean {
  return !/^(?:commits\/|scenario\.yaml$|expected\.md$|README\.md$)/.test(path)
}
