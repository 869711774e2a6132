import { readFile } from '../../src/core/yaml/read-file.ts'
import { isObject, stringAt, type JsonObject } from '../../src/core/json.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import { problemLine } from '../../src/render/problems.ts'
import { render, type RenderResult } from '../../src/render/render.ts'

export const SHOP: RenderOptions = { release: { name: 'shop', namespace: 'prod' } }

/** Values as they stand in a file. */
function valuesOf(yaml: string): JsonObject {
  const bytes = new TextEncoder().encode(yaml)
  const wanted = { all: true, needles: [] }
  const reading = readFile({ path: 'values.yaml', bytes }, { wanted, fullParser: undefined })
  const [first] = reading.errors
  if (first !== undefined) throw new Error(first.what)
  const value = reading.documents[0]?.value()
  if (!isObject(value)) throw new Error('the values are no mapping')
  return value
}

export function renderText(yaml: string, options: Partial<RenderOptions> = {}): RenderResult {
  return render(valuesOf(yaml), { ...SHOP, ...options })
}

/** `error JG106: path: text`, without the warnings. */
export function errorsOf({ problems }: RenderResult): readonly string[] {
  return problems.filter(({ severity }) => severity === 'error').map(problemLine)
}

export function warningsOf({ problems }: RenderResult): readonly string[] {
  return problems.filter(({ severity }) => severity === 'warning').map(problemLine)
}

export function namesOf({ objects }: RenderResult): readonly string[] {
  return objects.map(({ object }) => stringAt(object, ['metadata', 'name']) ?? '')
}

/** One job `jobGroups.db.jobs.migrate` of the first example, with more in the four places. */
export function oneJob(more: {
  readonly root?: JsonObject
  readonly group?: JsonObject
  readonly job?: JsonObject
}): JsonObject {
  return {
    fullnameOverride: 'shop',
    ...more.root,
    jobGroups: {
      db: {
        image: { repository: 'my/migrator', tag: 'v1' },
        ...more.group,
        jobs: { migrate: { command: './migrate.sh', ...more.job } },
      },
    },
  }
}
