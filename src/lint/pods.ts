import { isObject, listAt, stringAt, type JsonObject, type Path } from '../core/json.ts'
import { textOf } from '../core/source.ts'
import { byteLength } from '../core/text.ts'
import { jobSpecPath, type Subject } from '../ownership/subject.ts'

export interface Container {
  readonly path: Path
  readonly container: JsonObject
}

export function podTemplatePath(subject: Subject): Path {
  return [...jobSpecPath(subject), 'template']
}

/** Init containers and containers, in the order in which they start. */
export function containersOf(subject: Subject): readonly Container[] {
  return ['initContainers', 'containers'].flatMap((list) => {
    const path = [...podTemplatePath(subject), 'spec', list]
    return listAt(subject.object, path).flatMap((container, index) =>
      isObject(container) ? [{ path: [...path, index], container }] : [],
    )
  })
}

export function imagesOf(subject: Subject): readonly (Container & { readonly image: string })[] {
  return containersOf(subject).flatMap(({ path, container }) => {
    const image = stringAt(container, ['image'])
    return image === undefined || image.trim() === ''
      ? []
      : [{ path: [...path, 'image'], container, image }]
  })
}

/**
 * The pod template as written, with the actions that stand between its fields. Empty when it was
 * not found in the file (a patch brought it).
 */
export function podTemplateText(subject: Subject): string {
  const { document, root, file } = subject.manifest
  const found = document.locate([...root, ...podTemplatePath(subject)])
  if (found === undefined) return ''
  const { start, end } = found.value
  // What an action at the very end of the template adds lies behind the last field.
  const last = (file.openPlaces ?? [])
    .filter(({ offset }) => document.source === file.source && offset >= start)
    .filter(({ offset }) => offset < document.span.end)
    .reduce((furthest, { offset, text }) => Math.max(furthest, offset + byteLength(text)), end)
  return textOf(document.source, { start, end: Math.min(last, document.span.end) })
}
