import type { Edit } from '../../core/edits.ts'
import type { Json } from '../../core/json.ts'
import type { YamlDocument } from '../../core/yaml/document.ts'
import { lineBreakAt } from '../../core/yaml/layout.ts'
import { yamlJson } from '../../core/yaml/write-scalar.ts'
import { flowEntries } from './flow.ts'
import { columnOf, linesAfter } from './layout.ts'
import { treeOf, type MapPlace } from './tree.ts'

/** The `results` of a ResourceList: below its kind when they are new, else in their old place. */
export function resultsEdit(document: YamlDocument, results: readonly Json[]): readonly Edit[] {
  const tree = treeOf(document)
  const root = tree?.at([])
  const kind = tree?.at(['kind'])
  if (tree === undefined || root?.firstKey === undefined || kind === undefined) return []
  const old = tree.at(['results'])
  const { bytes } = tree
  const texts = results.map(yamlJson)
  if (root.isFlow) {
    const list = `[${texts.join(', ')}]`
    if (old !== undefined) return [replaced(old, list)]
    const { start } = root.firstKey
    const style = flowEntries(bytes, root.firstKey)
    return [{ start, end: start, text: `${style.entry('results', list)},${style.gap}` }]
  }
  if (old === undefined) {
    const indent = ' '.repeat(columnOf(bytes, root.firstKey.start))
    const lines = [`${indent}results:`, ...texts.map((text) => `${indent}- ${text}`)]
    const { at, text } = linesAfter(bytes, Math.max(kind.span.end - 1, kind.span.start), lines)
    return [{ start: at, end: at, text }]
  }
  const isBlockList = old.kind === 'list' && bytes[old.span.start] === 0x2d
  if (!isBlockList) return [replaced(old, `[${texts.join(', ')}]`)]
  const indent = ' '.repeat(columnOf(bytes, old.span.start))
  const br = lineBreakAt(bytes, old.span.start)
  return [{ ...old.span, text: texts.map((text) => `- ${text}`).join(br + indent) }]
}

function replaced({ span, colonEnd }: MapPlace, text: string): Edit {
  return span.start === span.end
    ? { start: colonEnd, end: colonEnd, text: ` ${text}` }
    : { ...span, text }
}
