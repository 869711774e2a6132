/**
 * Every text of a history is somebody else's: names, messages, images. Nothing goes into the page
 * but through one of these. They never throw, whatever they are given.
 */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For text between tags and for attributes in double or single quotes. */
export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}

/**
 * JSON that may stand in a `<script>` element: no `<` (which could close it or open a comment), and
 * no line separator that older parsers of JavaScript take for the end of a line.
 */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

/**
 * The address of a page of rules, or undefined where `page` is not a plain relative path: a link
 * out of the report goes to the documents and nowhere else.
 */
export function pageHref(docs: string, page: string): string | undefined {
  if (!/^(?:docs\/)?[A-Za-z0-9][\w./-]*(?:#[\w.-]*)?$/.test(page) || page.includes('..')) {
    return undefined
  }
  const base = docs.endsWith('/') ? docs : `${docs}/`
  if (!/^(?:https?:\/\/|file:\/\/|\.{0,2}\/|[\w-]+\/)/i.test(base)) return undefined
  return base + page.replace(/^docs\//, '')
}

/**
 * Control characters have no business in a page and NUL is an error there; characters that turn
 * the direction of text could make one name look like another.
 */
function visible(text: string): string {
  return text.replace(
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    '\ufffd',
  )
}
