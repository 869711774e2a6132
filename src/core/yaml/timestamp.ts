const TIMESTAMP =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,](\d+))?(Z|[+-]\d\d:\d\d))|(?: (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,](\d+))?))?$/

/** The four forms that Go's readers take for an instant, written as Go writes it to JSON. */
export function goTimestamp(text: string): string | undefined {
  if (text.length < 8 || text.charCodeAt(4) !== 0x2d) return undefined
  const match = TIMESTAMP.exec(text)
  if (match === null) return undefined
  const [, year, month, day] = match
  const hour = match[4] ?? match[9] ?? '0'
  const minute = match[5] ?? match[10] ?? '0'
  const second = match[6] ?? match[11] ?? '0'
  if (!isDate(Number(year), Number(month), Number(day))) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const zone = zoneOf(match[8] ?? 'Z')
  if (zone === undefined) return undefined
  const fraction = (match[7] ?? match[12] ?? '').slice(0, 9).replace(/0+$/, '')
  const date = `${year}-${pad(month)}-${pad(day)}`
  const time = `${pad(hour)}:${pad(minute)}:${pad(second)}`
  return `${date}T${time}${fraction === '' ? '' : `.${fraction}`}${zone}`
}

function pad(digits: string | undefined): string {
  return (digits ?? '').padStart(2, '0')
}

function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return day <= (days[month - 1] ?? 0)
}

function zoneOf(text: string): string | undefined {
  if (text === 'Z' || text === '+00:00') return 'Z'
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(4, 6))
  return hours > 24 || minutes > 59 ? undefined : text
}
