import { goDurationSeconds } from '../../../core/go-duration.ts'

const PATTERNS: { readonly [format: string]: RegExp } = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time':
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/,
  uuid: /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
  email: /^[^@\s]+@[^@\s]+$/,
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}$/,
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  hostname:
    /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*\.?$/,
}

/** True when the text is not of the format; formats that are not known here are not judged. */
export function formatFault(value: string, format: string): boolean {
  if (format === 'duration') return goDurationSeconds(value) === undefined
  const pattern = PATTERNS[format]
  return pattern !== undefined && !pattern.test(value)
}
