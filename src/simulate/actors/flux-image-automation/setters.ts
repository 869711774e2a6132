import type { Files } from '../../scenario/stage.ts'
import { imageText, type Image } from '../image.ts'

const MARKED =
  /^(\s*(?:- +)*(?:[^\s#][^#]*?:\s+)?)("[^"]*"|'[^']*'|[^\s"'#][^\s#]*)(\s+#\s*\{\s*"\$imagepolicy"\s*:\s*"([^":]+:[^":]+)(?::(tag|name|digest))?"\s*\}.*)$/

/**
 * IA-4: the files with the values behind marks (`# {"$imagepolicy": "flux-system:shop"}`, with
 * `:tag`, `:name` or `:digest`) set to what the policies chose. The same object when nothing differs.
 */
export function withSetters(files: Files, path: string, images: ReadonlyMap<string, Image>): Files {
  const folder = path.replace(/^\.?\/?/, '').replace(/\/?$/, '/')
  const changed: { [path: string]: string } = {}
  for (const [name, text] of Object.entries(files)) {
    const isInside = folder === '/' || name.startsWith(folder)
    if (!isInside || !/\.ya?ml$/.test(name) || !text.includes('$imagepolicy')) continue
    const next = text
      .split('\n')
      .map((line) => setLine(line, images))
      .join('\n')
    if (next !== text) changed[name] = next
  }
  return Object.keys(changed).length === 0 ? files : { ...files, ...changed }
}

function setLine(line: string, images: ReadonlyMap<string, Image>): string {
  const [, before = '', value = '', mark = '', policy = '', part] = MARKED.exec(line) ?? []
  const image = images.get(policy)
  if (image === undefined) return line
  const quote = /^["']/.exec(value)?.[0] ?? ''
  return `${before}${quote}${partOf(image, part)}${quote}${mark}`
}

function partOf(image: Image, part: string | undefined): string {
  if (part === 'tag') return image.tag ?? ''
  if (part === 'name') return image.repository
  if (part === 'digest') return image.digest ?? ''
  return imageText(image)
}
