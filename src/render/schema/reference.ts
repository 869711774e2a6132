import { CRON_FIELDS } from './parts.ts'
import { GROUP_FIELDS, JOB_FIELDS } from './job-fields.ts'
import { ROOT_FIELDS } from './root-fields.ts'
import type { Field, Fields, Shape } from './shape.ts'

/** The generated parts of docs/render/values.md, by the name of their place there. */
export function valuesTables(): Readonly<Record<string, string>> {
  return {
    root: table(['key', 'type', 'default', 'what it is'], rootRows()),
    job: table(
      ['key', 'on', 'type', 'default', 'what it is', 'how levels come together'],
      jobRows(),
    ),
    parts: PARTS.map(([title, fields]) => `### ${title}\n\n${partTable(fields)}`).join('\n\n'),
  }
}

const PARTS: readonly (readonly [string, Fields])[] = [
  ['image', fieldsOf(ROOT_FIELDS['image'])],
  ['An entry of configMaps', entriesOf(ROOT_FIELDS['configMaps'])],
  ['A task', entriesOf(JOB_FIELDS['tasks'])],
  ['inherit', fieldsOf(JOB_FIELDS['inherit'])],
  ['hooks', fieldsOf(JOB_FIELDS['hooks'])],
  ['labels', fieldsOf(ROOT_FIELDS['labels'])],
]

function rootRows(): readonly string[][] {
  return Object.entries(ROOT_FIELDS).map(([key, field]) => [
    code(key),
    typeOf(field.shape),
    standardOf(field),
    field.about,
  ])
}

function jobRows(): readonly string[][] {
  const keys = Object.keys({ ...GROUP_FIELDS, ...JOB_FIELDS })
  return keys.map((key) => {
    const field = GROUP_FIELDS[key] ?? JOB_FIELDS[key]
    const on = [
      ...(key in GROUP_FIELDS ? ['group'] : []),
      ...(key in JOB_FIELDS ? ['job'] : []),
    ].join(', ')
    const cron = key in CRON_FIELDS ? ' (CronJob)' : ''
    if (field === undefined) return []
    return [
      code(key),
      on + cron,
      typeOf(field.shape),
      standardOf(field),
      field.about,
      field.rule ?? '',
    ]
  })
}

function partTable(fields: Fields): string {
  const rows = flat(fields, '').map(([path, field]) => [
    code(path),
    typeOf(field.shape),
    standardOf(field),
    field.about,
  ])
  return table(['key', 'type', 'default', 'what it is'], rows)
}

/** Keys with those below them, by their path. */
function flat(fields: Fields, before: string): readonly (readonly [string, Field])[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const path = `${before}${key}`
    return field.shape.is === 'fields'
      ? flat(field.shape.fields, `${path}.`)
      : [[path, field] as const]
  })
}

function fieldsOf(field: Field | undefined): Fields {
  return field?.shape.is === 'fields' ? field.shape.fields : {}
}

function entriesOf(field: Field | undefined): Fields {
  const shape = field?.shape
  return shape?.is === 'map' && shape.of.is === 'fields' ? shape.of.fields : {}
}

function typeOf(shape: Shape): string {
  switch (shape.is) {
    case 'text':
      return shape.oneOf === undefined ? 'text' : shape.oneOf.map(code).join(', ')
    case 'integer':
      return shape.least === undefined ? 'whole number' : `whole number ≥ ${shape.least}`
    case 'boolean':
      return 'true, false'
    case 'command':
      return 'text or list of texts'
    case 'textList':
      return shape.orText === true ? 'text or list of texts' : 'list of texts'
    case 'wave':
      return 'whole number'
    case 'flags':
      return 'true, false, or by name'
    case 'env':
      return 'variables'
    case 'map':
      return shape.of.is === 'text' ? 'texts by name' : 'mapping by name'
    case 'fields':
      return 'mapping'
    case 'kubernetes':
    default:
      return shape.type === 'list' ? 'list, as in Kubernetes' : 'mapping, as in Kubernetes'
  }
}

function standardOf({ standard = '' }: Field): string {
  if (standard === '' || /[` ]/.test(standard)) return standard
  return code(standard)
}

function code(text: string): string {
  return `\`${text}\``
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
