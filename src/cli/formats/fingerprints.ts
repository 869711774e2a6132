import { createHash } from 'node:crypto'
import type { Finding } from '../../core/findings.ts'
import type { Lines } from '../lines.ts'

/**
 * What a dashboard knows a finding by, also after lines have moved: rule, path, object, field and
 * the text of the line; a number tells equal ones apart.
 */
export class Fingerprints {
  private readonly lines: Lines
  private readonly seen = new Map<string, number>()

  constructor(lines: Lines) {
    this.lines = lines
  }

  of({ rule, object, pointer, place }: Finding): string {
    const { start } = this.lines.region(place)
    const line = (this.lines.text(place.source, start.line) ?? '').trim()
    return this.ofText(JSON.stringify([rule, place.source.path, object, pointer, line]))
  }

  ofText(key: string): string {
    const number = (this.seen.get(key) ?? 0) + 1
    this.seen.set(key, number)
    return createHash('sha256').update(`${key} ${number}`).digest('hex').slice(0, 32)
  }
}
