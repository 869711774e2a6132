/** Keys of a scenario that only tell a reader something; every part of one may have them. */
export const REMARKS: readonly string[] = [
  'note',
  'notes',
  'comment',
  'reason',
  'why',
  'who',
  'by',
  'title',
  'description',
  'remark',
  'name',
  'intended',
]

export function isRemark(key: string): boolean {
  return REMARKS.includes(key) || key.startsWith('x-')
}
