import type { Json, JsonObject } from '../../src/core/json.ts'
import { valuesJsonSchema } from '../../src/render/schema/json-schema.ts'
import { valuesTables } from '../../src/render/schema/reference.ts'
import { REMOVED_KEYS, VALUES } from '../../src/render/schema/root-fields.ts'
import { wanted, type Shape } from '../../src/render/schema/shape.ts'

/** The parts of charts/semel-jobs that are made from the table of values. */
export function madeFiles(read: (file: string) => string): Readonly<Record<string, string>> {
  return {
    'values.schema.json': valuesJsonSchema(),
    'templates/_schema.tpl': schemaTemplate(),
    'README.md': filled(read('README.md')),
  }
}

function filled(page: string): string {
  let made = page
  for (const [name, text] of Object.entries(valuesTables())) {
    const place = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`)
    made = made.replace(place, (_all, before, after) => `${before}${text}\n${after}`)
  }
  return made
}

function schemaTemplate(): string {
  const root = { ...shapeOf(VALUES), removed: REMOVED_KEYS }
  return `{{- /* Made from the table of values by \`npm run docs\`. */ -}}
{{- define "semel-jobs.schema" -}}
${JSON.stringify(root)}
{{- end -}}
`
}

/** Only what the templates ask, with the names of keys in their order, which a mapping has not. */
function shapeOf(shape: Shape): JsonObject {
  const made: Record<string, Json> = { is: shape.is, wants: wanted(shape) }
  for (const [key, value] of Object.entries(shape) as readonly [string, unknown][]) {
    if (key === 'of') made['of'] = shapeOf(value as Shape)
    else if (key !== 'fields') made[key] = value as Json
  }
  if (shape.is === 'fields') {
    const { fields } = shape
    made['names'] = Object.keys(fields)
    made['fields'] = Object.fromEntries(
      Object.entries(fields).map(([key, field]) => [key, shapeOf(field.shape)]),
    )
  }
  return made
}
