import type { Manifest } from '../../core/manifest.ts'
import { outermost } from '../../core/source.ts'
import { literalParts } from '../../core/templates.ts'

/** Finds the unrendered object behind a rendered one, among those that may be it. */
export function originalOf(
  rendered: Pick<Manifest, 'kind' | 'name'>,
  candidates: readonly Manifest[],
): Manifest | undefined {
  const kin = candidates.filter(({ kind }) => kind === rendered.kind)
  const name = rendered.name ?? ''
  return (
    kin.find((one) => one.name === name) ??
    kin.find((one) => couldBecome(one.name ?? '', name)) ??
    (kin.length === 1 ? kin[0] : undefined)
  )
}

/** True when the literal parts of a templated name stand in the other in their order. */
function couldBecome(written: string, name: string): boolean {
  const parts = literalParts(written).filter((part) => part !== '')
  if (parts.length === 0) return false
  let from = 0
  for (const part of parts) {
    const at = name.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return true
}

/** `# Source: shop/templates/job.yaml`, which Helm writes above each object, without the chart. */
export function templatePath(chunk: string): string | undefined {
  const [, source] = /^# Source: ([^\r\n]+)$/m.exec(chunk) ?? []
  const slash = source?.indexOf('/') ?? -1
  return source === undefined || slash < 0 ? undefined : source.slice(slash + 1).trim()
}

export function pathOf({ document: { source, span } }: Manifest): string {
  return outermost({ source, span }).source.path
}
