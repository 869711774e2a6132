/**
 * Writes plain values as YAML, in the few styles that people write by hand. Strings stay plain only
 * where every reader takes them for the same string; everything else is quoted.
 */
const PLAIN =
  /^(?:\d+(?:[smh]|[KMG]i)|(?:\.?\/|[A-Za-z])[A-Za-z0-9_./@-]*(?:[ :=,][A-Za-z0-9_./@%+-]+)*)$/
const NOT_STRING = /^(?:y|yes|n|no|on|off|true|false|null|nan|inf)$/i

export function scalar(value) {
  if (typeof value !== 'string') return String(value)
  const isPlain = PLAIN.test(value) && !NOT_STRING.test(value) && !/: |:$/.test(value)
  if (isPlain) return value
  return value.includes("'") || /[^\x20-\x7e]/.test(value) ? JSON.stringify(value) : `'${value}'`
}

/**
 * Block style. `indentLists` puts `- ` two columns right of its key; both forms are common.
 * Ends with a line feed.
 */
export function blockYaml(value, { indentLists = false } = {}) {
  const lines = []
  writeMap(value, '', lines, indentLists)
  return `${lines.join('\n')}\n`
}

function writeMap(map, indent, lines, indentLists) {
  for (const [key, value] of Object.entries(map)) {
    if (value !== undefined)
      writeEntry(`${indent}${scalar(key)}:`, value, indent, lines, indentLists)
  }
}

function writeEntry(head, value, indent, lines, indentLists) {
  if (isMap(value)) {
    if (Object.keys(value).length === 0) lines.push(`${head} {}`)
    else {
      lines.push(head)
      writeMap(value, `${indent}  `, lines, indentLists)
    }
  } else if (Array.isArray(value)) {
    if (value.length === 0) lines.push(`${head} []`)
    else {
      lines.push(head)
      for (const item of value)
        writeItem(item, indentLists ? `${indent}  ` : indent, lines, indentLists)
    }
  } else if (typeof value === 'string' && value.includes('\n')) {
    writeBlockScalar(head, value, `${indent}  `, lines)
  } else {
    lines.push(`${head} ${scalar(value)}`)
  }
}

function writeItem(item, indent, lines, indentLists) {
  if (isMap(item)) {
    const inner = []
    writeMap(item, `${indent}  `, inner, indentLists)
    inner[0] = `${indent}- ${inner[0].slice(indent.length + 2)}`
    for (const line of inner) lines.push(line)
  } else {
    writeEntry(`${indent}-`, item, indent, lines, indentLists)
  }
}

function writeBlockScalar(head, text, indent, lines) {
  const ends = text.endsWith('\n')
  lines.push(`${head} |${ends ? '' : '-'}`)
  for (const line of (ends ? text.slice(0, -1) : text).split('\n')) {
    lines.push(line === '' ? '' : `${indent}${line}`)
  }
}

/** Flow style over a few lines, keys plain: `{apiVersion: batch/v1, ...}`. */
export function flowYaml(value) {
  return `${flow(value, true)}\n`
}

function flow(value, isTop = false) {
  const separator = isTop ? ',\n ' : ', '
  if (Array.isArray(value)) return `[${value.map((item) => flow(item)).join(', ')}]`
  if (isMap(value)) {
    const entries = Object.entries(value).filter(([, entry]) => entry !== undefined)
    return `{${entries.map(([key, entry]) => `${scalar(key)}: ${flow(entry)}`).join(separator)}}`
  }
  if (typeof value === 'string') return JSON.stringify(value)
  return scalar(value)
}

export function jsonText(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}

function isMap(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
