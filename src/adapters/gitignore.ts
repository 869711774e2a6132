import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ignore, { type Ignore } from 'ignore'

/**
 * What git leaves out: `.gitignore` files from the top of the working tree down to the folder in
 * question, and `.git/info/exclude`. The deepest file that has an opinion decides, as in git.
 */
export interface IgnoreRules {
  /** Both names are absolute, with the machine's separators. */
  ignores(absolute: string, isFolder: boolean): boolean
  /** The rules that also hold below `folder`, which has a `.gitignore` of its own. */
  within(folder: string): IgnoreRules
}

export const NO_IGNORE_RULES: IgnoreRules = {
  ignores: () => false,
  within: () => NO_IGNORE_RULES,
}

/** The rules that hold in `folder` from above; they do not apply to `folder` itself. */
export function ignoreRulesAt(folder: string, gitRoot: string | undefined): IgnoreRules {
  if (gitRoot === undefined) return rulesOf([])
  const layers: Layer[] = []
  const exclude = readRules(path.join(gitRoot, '.git', 'info', 'exclude'))
  if (exclude !== undefined) layers.push({ base: gitRoot, rules: exclude })
  let rules = rulesOf(layers)
  const below = path.relative(gitRoot, folder)
  let above = gitRoot
  for (const step of below === '' ? [] : below.split(path.sep)) {
    if (existsSync(path.join(above, '.gitignore'))) rules = rules.within(above)
    above = path.join(above, step)
  }
  // Whoever names an ignored folder wants to see what is in it.
  return below !== '' && rules.ignores(folder, true) ? rulesOf([]) : rules
}

/** The top of the working tree that holds `folder`, if there is one. */
export function gitRootOf(folder: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at
    if (path.dirname(at) === at) return undefined
  }
}

/**
 * What Flux's sources leave out: `.sourceignore` files, which read as `.gitignore` does, and the
 * files of CI systems and tools that Flux never takes. Paths are relative to `root`, with `/`.
 */
export function sourceIgnore(
  root: string,
  listing: readonly string[],
): (relative: string) => boolean {
  const files = listing.filter((name) => /(?:^|\/)\.sourceignore$/.test(name))
  const layers: Layer[] = [{ base: root, rules: ignore({ ignorecase: false }).add(FLUX_EXCLUDES) }]
  for (const file of files.toSorted((one, other) => one.length - other.length)) {
    const absolute = path.join(root, file)
    const rules = readRules(absolute)
    if (rules !== undefined) layers.push({ base: path.dirname(absolute), rules })
  }
  const rules = rulesOf(layers)
  return (relative) => rules.ignores(path.join(root, relative), false)
}

const FLUX_EXCLUDES = [
  '.git/',
  '.github/',
  '.circleci/',
  '.travis.yml',
  '.gitlab-ci.yml',
  'appveyor.yml',
  '.drone.yml',
  'cloudbuild.yaml',
  'codeship-services.yml',
  'codeship-steps.yml',
  '**/.goreleaser.yml',
  '**/.sops.yaml',
  '**/.flux.yaml',
]

interface Layer {
  readonly base: string
  readonly rules: Ignore
}

function rulesOf(layers: readonly Layer[]): IgnoreRules {
  return {
    ignores(absolute, isFolder) {
      for (let at = layers.length - 1; at >= 0; at -= 1) {
        const { base, rules } = layers[at] as Layer
        if (!absolute.startsWith(base)) continue
        const below = absolute.slice(base.length + (base.endsWith(path.sep) ? 0 : 1))
        if (below === '' || (absolute[base.length] !== path.sep && !base.endsWith(path.sep)))
          continue
        const name = path.sep === '/' ? below : below.replaceAll(path.sep, '/')
        const { ignored, unignored } = rules.test(isFolder ? `${name}/` : name)
        if (ignored) return true
        if (unignored) return false
      }
      return false
    },
    within(folder) {
      const rules = readRules(path.join(folder, '.gitignore'))
      return rules === undefined ? rulesOf(layers) : rulesOf([...layers, { base: folder, rules }])
    },
  }
}

function readRules(file: string): Ignore | undefined {
  try {
    return ignore({ ignorecase: false }).add(readFileSync(file, 'utf8'))
  } catch {
    // A missing or unreadable list ignores nothing; git goes on in the same way.
    return undefined
  }
}
