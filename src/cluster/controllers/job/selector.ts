import { holds } from '../../kinds/labels.ts'
import type { LabelSelector } from './job.ts'

type Labels = { readonly [key: string]: string }

/** metav1.LabelSelector: all of it must hold; an empty one holds for everything, none for nothing. */
export function selects(selector: LabelSelector | undefined, labels: Labels | undefined): boolean {
  if (selector === undefined) return false
  const have = labels ?? {}
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    if (have[key] !== value) return false
  }
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    if (!holds(have[key], operator, values)) return false
  }
  return true
}
