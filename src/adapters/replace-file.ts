import {
  chownSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { Fault } from '../core/faults.ts'
import { pathFault } from './read-source.ts'

export interface Replacement {
  /** Absolute; a link is followed and stays one. */
  readonly file: string
  /** As the user knows it. */
  readonly shown: string
  /** What the file must still hold; undefined where none may be there yet, nor its folder. */
  readonly before: Uint8Array | undefined
  readonly after: Uint8Array
}

/**
 * Puts new bytes in the place of a file in one step: a reader sees the old ones or the new ones,
 * and a crash leaves one of the two. Throws FILE_CHANGED, with nothing written, when the file no
 * longer holds `before`. Keeps the mode, and the owner where the system lets it.
 */
export function replaceFile({ file, shown, before, after }: Replacement): void {
  let draft: string | undefined
  try {
    const target = before === undefined ? file : realpathSync(file)
    if (before === undefined) mkdirSync(path.dirname(file), { recursive: true })
    if (!holds(target, before)) throw changed(shown)
    draft = path.join(path.dirname(target), `.${path.basename(target)}.semel-${process.pid}`)
    writeDraft(draft, after, before === undefined ? undefined : target)
    // The draft took time to write, so look again as late as possible.
    if (!holds(target, before)) throw changed(shown)
    renameSync(draft, target)
  } catch (error) {
    if (draft !== undefined) rmSync(draft, { force: true })
    throw error instanceof Fault ? error : unwritable(error, shown)
  }
}

function holds(target: string, wanted: Uint8Array | undefined): boolean {
  try {
    const bytes = readFileSync(target)
    return wanted !== undefined && bytes.equals(wanted)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return wanted === undefined
    throw error
  }
}

function writeDraft(draft: string, bytes: Uint8Array, like: string | undefined): void {
  const facts = like === undefined ? undefined : statSync(like)
  const descriptor = openSync(draft, 'wx', facts?.mode ?? 0o666)
  try {
    if (facts !== undefined) fchmodSync(descriptor, facts.mode)
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  if (facts === undefined) return
  try {
    chownSync(draft, facts.uid, facts.gid)
  } catch {
    // Only root may give a file away; the new one then belongs to whoever runs semel.
  }
}

function changed(shown: string): Fault {
  return new Fault('FILE_CHANGED', {
    what: `${shown} was changed while semel was at work`,
    why: 'what somebody else has just written would be lost, so nothing was written to it',
    remedy: 'run the command again',
    where: shown,
  })
}

function unwritable(error: unknown, shown: string): unknown {
  if ((error as NodeJS.ErrnoException).code === undefined) return error
  return new Fault('OUTPUT_UNWRITABLE', {
    what: `${shown} could not be written`,
    why: pathFault(error, shown).why,
    remedy: 'make the file and its folder writable for the user who runs semel',
    where: shown,
    cause: error,
  })
}
