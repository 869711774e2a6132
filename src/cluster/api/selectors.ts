export type LabelMatch = (labels: { readonly [key: string]: string }) => boolean

export function parseLabelSelector(text: string): LabelMatch {
  if (text.trim() === '') return () => true
  const wants = text.split(',').map((part) => part.split(/==?/))
  return (labels) => wants.every(([key, value]) => labels[key?.trim() ?? ''] === value?.trim())
}
