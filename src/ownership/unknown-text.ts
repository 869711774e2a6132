import { isTemplated } from '../core/templates.ts'

/** Whether only rendering can tell what a text says. */
export function isUnknown(text: string | undefined): boolean {
  return isTemplated(text)
}
