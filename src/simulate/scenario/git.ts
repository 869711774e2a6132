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
  #files: { [path: string]: string } = {}
  #commits = 0

  constructor(folder: Files) {
    this.#folder = folder
  }

  get files(): Files {
    return this.#files
  }

  /** The next commit's content; undefined when nothing changes or a named file is not there. */
  apply(event: ScenarioEvent, chosen: readonly string[] = []): string | undefined {
    const named = (event.apply ?? []).flatMap((path) => (path === 'variant' ? chosen : [path]))
    const next: { [path: string]: string } = {}
    const diffs = named.filter((path) => path.endsWith('.diff'))
    const whole = named.filter((path) => !path.endsWith('.diff'))
    const found = whole.map((one) => this.#below(one))
    if (found.some((paths) => paths.length === 0)) return undefined
    for (const path of found.flat()) {
      const text = this.#folder[path]
      if (text === undefined) return undefined
      next[this.#placeOf(path)] = text
    }
    if (whole.length === 0) Object.assign(next, this.#files)
    let files: Files = next
    for (const path of diffs) {
      const made = patched(files, this.#folder[path] ?? '')
      if (made === undefined) return undefined
      files = made
    }
    this.#files = { ...files }
    return this.#name(event)
  }

  /** A change of the present files, as a commit of its own. */
  rewrite(event: ScenarioEvent, change: (path: string, text: string) => string): string {
    for (const [path, text] of Object.entries(this.#files)) this.#files[path] = change(path, text)
    return this.#name(event)
  }

  #name(event: ScenarioEvent): string {
    this.#commits += 1
    return event.commit ?? `commit-${this.#commits}`
  }

  #below(path: string): readonly string[] {
    if (this.#folder[path] !== undefined) return [path]
    return Object.keys(this.#folder).filter((one) => one.startsWith(`${path.replace(/\/$/, '')}/`))
  }

  /** `commits/048h-job.yaml` stands where `job.yaml` stood before. */
  #placeOf(path: string): string {
    const later = /^commits\/\d+h(?:\d+m)?-(.+)$/.exec(path)?.[1]
    if (later === undefined) return path
    const known = [...Object.keys(this.#files), ...Object.keys(this.#folder)]
    return known.find((one) => !one.startsWith('commits/') && one.endsWith(`/${later}`)) ?? later
  }
}
