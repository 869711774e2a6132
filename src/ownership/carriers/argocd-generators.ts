import {
  at,
  isList,
  isObject,
  listAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import { globToRegExp } from '../glob.ts'
import { originOf, type Origin, type Traced } from '../traced.ts'
import { baseName, parent } from '../tree.ts'
import type { World } from '../world.ts'
import type { Surroundings } from './carrier.ts'
import { below } from '../place.ts'
import { mergeParameters, pathParameters, type Parameters } from './argocd-parameters.ts'

const UNKNOWN: readonly Parameters[] = [{}]

/**
 * The sets of parameters of an ApplicationSet. A generator that asks a cluster or a service gives
 * one empty set: what the template says without parameters is still true.
 */
export function parametersOf(
  object: Traced<JsonObject>,
  repo: Surroundings,
): readonly Parameters[] {
  const generators = listAt(object.value, ['spec', 'generators'])
  const origin = originOf(object, ['spec', 'generators'])
  return generators.flatMap((generator, index) => generate(generator, below(origin, index), repo))
}

function generate(generator: Json, origin: Origin, repo: Surroundings): readonly Parameters[] {
  const { world } = repo
  if (!isObject(generator)) return []
  if (isObject(generator['list'])) return listSets(generator['list'], origin, world)
  if (isObject(generator['git'])) return gitSets(generator['git'], below(origin, 'git'), repo)
  if (isObject(generator['matrix'])) {
    const inner = innerSets(generator['matrix'], below(origin, 'matrix'), repo)
    return inner.reduce(product, UNKNOWN)
  }
  if (isObject(generator['merge'])) {
    return innerSets(generator['merge'], below(origin, 'merge'), repo)[0] ?? UNKNOWN
  }
  const kind =
    Object.keys(generator).find((key) => isObject(generator[key])) ?? 'of an unknown kind'
  const what = `the generator ${kind} asks something outside of this repository`
  world.note(origin, what, 'only applications whose path does not depend on it are followed')
  return UNKNOWN
}

function innerSets(
  combined: JsonObject,
  origin: Origin,
  repo: Surroundings,
): readonly (readonly Parameters[])[] {
  const inner = below(origin, 'generators')
  return listAt(combined, ['generators']).map((generator, index) =>
    generate(generator, below(inner, index), repo),
  )
}

function product(one: readonly Parameters[], other: readonly Parameters[]): readonly Parameters[] {
  if (one.length * other.length > MAX_SETS) return one
  return one.flatMap((first) => other.map((second) => mergeParameters(first, second)))
}

const MAX_SETS = 10_000

function listSets(list: JsonObject, origin: Origin, world: World): readonly Parameters[] {
  const elements = listAt(list, ['elements']).filter(isObject)
  if (list['elementsYaml'] === undefined) return elements
  const why = 'only applications whose path does not depend on it are followed'
  world.note(origin, 'elementsYaml of this generator is known only after rendering', why)
  return [...elements, {}]
}

function gitSets(
  git: JsonObject,
  origin: Origin,
  { world, sources }: Surroundings,
): readonly Parameters[] {
  if (sources.isForeign(sources.git(stringAt(git, ['repoURL'])))) {
    const what = 'this generator reads another repository'
    world.note(origin, what, 'the applications that it makes cannot be told from here')
    return UNKNOWN
  }
  const prefix = stringAt(git, ['pathParamPrefix'])
  const named = (folder: string, file?: string): Parameters => {
    const parameters = { path: pathParameters(folder, file) }
    return prefix === undefined || prefix === '' ? parameters : { [prefix]: parameters }
  }
  if (at(git, ['directories']) !== undefined) {
    return matching(git, 'directories', origin, world).map((folder) => named(folder))
  }
  return matching(git, 'files', origin, world).flatMap((file) =>
    contentsOf(file, world).map((content) =>
      mergeParameters(content, named(parent(file), baseName(file))),
    ),
  )
}

/** Folders or files that one of the patterns names and no pattern excludes. */
function matching(
  git: JsonObject,
  field: 'directories' | 'files',
  origin: Origin,
  world: World,
): readonly string[] {
  const patterns = listAt(git, [field]).flatMap((item, index) => {
    const path = stringAt(item, ['path'])
    if (path === undefined) return []
    if (isTemplated(path)) {
      const what = `the pattern ${path} is known only after rendering`
      world.note(below(origin, field, index), what, 'the folders that it finds are not followed')
      return []
    }
    const expression = globToRegExp(path, { crossing: false })
    return expression === undefined
      ? []
      : [{ expression, excludes: at(item, ['exclude']) === true }]
  })
  const candidates = field === 'files' ? world.tree.under('') : world.tree.folders
  const wanted = patterns.filter(({ excludes }) => !excludes)
  const unwanted = patterns.filter(({ excludes }) => excludes)
  return candidates.filter(
    (path) =>
      wanted.some(({ expression }) => expression.test(path)) &&
      !unwanted.some(({ expression }) => expression.test(path)),
  )
}

/** A file gives one set, or one for each item of a list; one that cannot be read an empty one. */
function contentsOf(file: string, world: World): readonly Parameters[] {
  const [document] = world.documentsIn(file)
  const value = document?.value()
  if (isObject(value)) return [value]
  return isList(value) ? value.filter(isObject) : UNKNOWN
}
