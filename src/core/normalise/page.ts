import { INTENT_LEAVES_OUT, RELEASE_LABELS } from '../policies/intent.ts'
import type { Field, Order, Shape } from './field.ts'
import { FOREIGN_ANNOTATIONS, FOREIGN_LABELS } from './normalise.ts'
import { CONTROLLER_GATES } from './types-pod.ts'
import { TYPES } from './types.ts'

/** The generated parts of docs/reference/fingerprint.md, by the name of their place there. */
export function fingerprintTables(): Readonly<Record<string, string>> {
  return {
    'left-out': table(
      ['field of the Job', 'why it is left out'],
      INTENT_LEAVES_OUT.map(({ field, why }) => [code(field), why]),
    ),
    release: bullets(RELEASE_LABELS),
    foreign: bullets([
      ...[...FOREIGN_LABELS].map((name) => `label ${code(name)}`),
      ...[...FOREIGN_ANNOTATIONS].map((name) => `annotation ${code(name)}`),
      ...CONTROLLER_GATES.map((name) => `scheduling gate ${code(name)}`),
    ]),
    lists: table(['list', 'type in the API', 'what counts', 'why'], listRows()),
    defaults: table(['field', 'the same as leaving it out'], defaultRows('absent')),
    idle: table(['field', 'the same as leaving it out'], defaultRows('idle')),
    fields: Object.entries(TYPES)
      .map(([type, { fields }]) => `- **${type}**: ${Object.entries(fields).map(note).join(', ')}`)
      .join('\n'),
  }
}

function listRows(): readonly string[][] {
  return everyField().flatMap(({ path, field }) =>
    field.shape.kind === 'list'
      ? [[code(path), field.shape.order.api, counted(field.shape.order), field.shape.order.why]]
      : [],
  )
}

function counted({ counts, keys }: Order): string {
  if (counts === 'order') return 'order and items'
  return counts === 'members' ? 'a set of items' : `items by ${keys.map(code).join(' and ')}`
}

function defaultRows(which: 'absent' | 'idle'): readonly string[][] {
  return everyField().flatMap(({ path, field }) => {
    const usual = which === 'idle' ? field.idle : field.absent.filter((value) => !isZero(value))
    const conditional = field.when?.onServer === (which === 'absent') ? [field.when.text] : []
    const texts = [...usual.map((value) => code(JSON.stringify(value))), ...conditional]
    return texts.length === 0 ? [] : [[code(path), texts.join(', ')]]
  })
}

function isZero(value: unknown): boolean {
  return value === '' || value === false || value === 0 || JSON.stringify(value) === '{}'
}

function everyField(): readonly { path: string; field: Field }[] {
  return Object.entries(TYPES).flatMap(([type, { fields }]) =>
    Object.entries(fields)
      .filter(([, field]) => field.never === undefined)
      .map(([name, field]) => ({ path: `${type}.${name}`, field })),
  )
}

/** `name`, with * where the zero value counts and ~ where nothing of it ever does. */
function note([name, field]: [string, Field]): string {
  if (field.never !== undefined) return `${name}~`
  const collection = field.shape.kind === 'list' || field.shape.kind === 'map'
  return `${name}${collection || field.absent.some(isZero) ? '' : '*'}${target(field.shape)}`
}

function target(shape: Shape): string {
  if (shape.kind === 'struct') return ` (${shape.type})`
  if (shape.kind === 'quantity') return ' (quantity)'
  if (shape.kind === 'map') return ` (map${target(shape.of)})`
  return shape.kind === 'list' ? ` (list${target(shape.of)})` : ''
}

function code(text: string): string {
  return `\`${text}\``
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item.includes('`') ? item : code(item)}`).join('\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
