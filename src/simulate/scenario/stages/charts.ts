import { stringAt, type JsonObject } from '../../../core/json.ts'
import { objectsOf } from '../../trace/manifests.ts'
import type { Files } from '../stage.ts'

const CHART = /(?:^|\/)Chart\.yaml$/

/**
 * The charts of a scenario's folder as they stand in Git from commit to commit. A commit that holds
 * a chart's Chart.yaml says all of that chart; one that does not changes single files of it.
 */
export class Charts {
  #files: Files

  /** `commits` holds later contents, which events put in their places. */
  constructor(folder: Files) {
    this.#files = kept(folder, (path) => !path.startsWith('commits/'))
  }

  commit(files: Files): void {
    const whole = chartFolders(files)
    const rest = kept(this.#files, (path) => !whole.some((folder) => isBelow(path, folder)))
    this.#files = { ...rest, ...files }
  }

  /** The only chart, or the one at a place (`./charts/app`) or of a name; its paths begin there. */
  at(place?: string): Files | undefined {
    const folders = chartFolders(this.#files)
    const wanted = (place ?? '').replace(/^\.?\/?/, '').replace(/\/$/, '')
    const name = wanted.split('/').at(-1)
    const found =
      folders.find((folder) => place !== undefined && folder === wanted) ??
      folders.find((folder) => stringAt(this.#metadata(folder), ['name']) === name) ??
      (folders.length === 1 ? folders[0] : undefined)
    return found === undefined ? undefined : below(this.#files, found)
  }

  /** Objects of all other YAML files below `files`: HelmReleases, their values, namespaces. */
  besides(files: Files): readonly JsonObject[] {
    const folders = chartFolders({ ...this.#files, ...files })
    return Object.entries(files)
      .filter(([path]) => /\.ya?ml$/.test(path) && !/(?:^|\/)scenario\.yaml$/.test(path))
      .filter(([path]) => !folders.some((folder) => isBelow(path, folder)))
      .flatMap(([path, text]) => objectsOf(path, text))
      .filter((object) => stringAt(object, ['kind']) !== undefined)
  }

  #metadata(folder: string): JsonObject {
    return metadataOf(below(this.#files, folder))
  }
}

/** Chart.yaml of a chart. */
export function metadataOf(chart: Files): JsonObject {
  return objectsOf('Chart.yaml', chart['Chart.yaml'] ?? '')[0] ?? {}
}

/** Folders of charts, but not of those within a chart. */
function chartFolders(files: Files): readonly string[] {
  const folders = Object.keys(files)
    .filter((path) => CHART.test(path))
    .map((path) => path.slice(0, -'/Chart.yaml'.length))
  return folders.filter(
    (folder) => !folders.some((other) => other !== folder && isBelow(folder, other)),
  )
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}

function below(files: Files, folder: string): Files {
  const start = folder === '' ? 0 : folder.length + 1
  return Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => isBelow(path, folder))
      .map(([path, text]) => [path.slice(start), text]),
  )
}

function kept(files: Files, isKept: (path: string) => boolean): Files {
  return Object.fromEntries(Object.entries(files).filter(([path]) => isKept(path)))
}
