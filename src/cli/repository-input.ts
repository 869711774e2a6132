import { sourceIgnore } from '../adapters/gitignore.ts'
import { readSource } from '../adapters/read-source.ts'
import { Fault } from '../core/faults.ts'
import type { Source } from '../core/source.ts'
import { engineAt, NO_CONFIG } from '../lint/config.ts'
import type { RenderedFolders } from '../ownership/rendered.ts'
import type { RepositoryInput } from '../ownership/repository.ts'
import type { Run } from './judge.ts'
import { listingFor } from './naming.ts'

/** What ownership asks of a run. */
export function inputOf(run: Run, rendered?: RenderedFolders): RepositoryInput {
  const { options, naming, config, listing, reading, parser, overlay } = run
  const paths = listingFor(naming, listing.entries)
  const known = new Set(paths)
  const read = (name: string): Source | undefined => {
    if (!known.has(name)) return undefined
    const shown = naming.root === '' ? name : `${naming.root.replace(/\/$/, '')}/${name}`
    const instead = overlay.get(shown)
    if (instead !== undefined) return { path: shown, bytes: instead }
    try {
      const file = { path: shown, absolute: naming.absolute(shown), isNamed: false }
      return readSource(file, options.maxFileBytes)
    } catch (error) {
      // The file was listed a moment ago; if it matters it has its own problem already.
      if (error instanceof Fault) return undefined
      throw error
    }
  }
  return {
    files: reading.files,
    listing: paths,
    root: naming.root,
    read,
    isSourceIgnored: sourceIgnore(naming.absolute(naming.root), paths),
    overrides: (shown: string) => engineAt(config?.lint ?? NO_CONFIG, shown),
    ...(options.engine === undefined ? {} : { engine: options.engine }),
    ...(rendered === undefined ? {} : { rendered }),
    ...(parser.loaded === undefined ? {} : { fullParser: parser.loaded }),
  }
}
