import type { Complaints } from '../complaints.ts'

/** No step of the way leads up. */
export function checkNoBacksteps(out: Complaints, path: string, field: string): void {
  if (path.split('/').includes('..')) out.invalid(field, path, "must not contain '..'")
}

export function checkDescending(out: Complaints, path: string, field: string): void {
  if (path.startsWith('/')) out.invalid(field, path, 'must be a relative path')
  checkNoBacksteps(out, path, field)
}

/** Names that begin with two dots are the kubelet's own. */
export function checkNotReserved(out: Complaints, path: string, field: string): void {
  checkDescending(out, path, field)
  if (path.startsWith('..') && !path.startsWith('../')) {
    out.invalid(field, path, "must not start with '..'")
  }
}
