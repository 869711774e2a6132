export function label(variant: string): string {
  return variant === '' ? '' : `variant ${variant}`
}
