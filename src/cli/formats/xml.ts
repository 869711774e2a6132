/** One XML element; an attribute that is undefined is left out. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  content: readonly string[] | string = [],
): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => (value === undefined ? '' : ` ${key}="${attribute(String(value))}"`))
    .join('')
  if (typeof content === 'string') return `<${name}${written}>${text(content)}</${name}>`
  if (content.length === 0) return `<${name}${written}/>`
  const inner = content.map((child) => indented(child)).join('\n')
  return `<${name}${written}>\n${inner}\n</${name}>`
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'

function attribute(value: string): string {
  return text(value)
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\t', '&#9;')
}

function text(value: string): string {
  return value
    .replaceAll(FORBIDDEN, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/** XML 1.0 has no form for these, not even escaped. */
// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

/** Only the lines that begin an element move: the others are text. */
function indented(child: string): string {
  return child.replaceAll(/^(?=\s*<\/?[a-z])/gm, '  ')
}
