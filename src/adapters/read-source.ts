import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { Fault } from '../core/faults.ts'
import type { Source } from '../core/source.ts'

export interface ListedFile {
  /** As the user would name it, with `/`; `<stdin>` for the standard input. */
  readonly path: string
  readonly absolute: string
  /** The user named this file itself, not a folder above it. */
  readonly isNamed: boolean
}

export const STDIN_PATH = '<stdin>'

/**
 * Memory for many files of which few are kept: a file that is not kept leaves its room to the next
 * one, so that a run over a large repository touches little fresh memory.
 */
export class FileMemory {
  private slab: Buffer = Buffer.allocUnsafeSlow(0)
  private used = 0

  /** Room for a file, until the next one asks, unless it is kept. */
  room(sizeBytes: number): Buffer {
    if (sizeBytes > SLAB_BYTES / 4) return Buffer.allocUnsafeSlow(sizeBytes)
    if (this.used + sizeBytes > this.slab.length) {
      this.slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
      this.used = 0
    }
    return this.slab.subarray(this.used, this.used + sizeBytes)
  }

  keep({ bytes }: Source): void {
    if (bytes.buffer === this.slab.buffer) this.used = bytes.byteOffset + bytes.length
  }
}

const SLAB_BYTES = 1 << 20

/** Reads a file as it is, up to `maxBytes`; throws a Fault when that cannot be done. */
export function readSource(file: ListedFile, maxBytes: number, memory?: FileMemory): Source {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file.absolute, 'r')
    return { path: file.path, bytes: readAll(descriptor, file.path, maxBytes, memory) }
  } catch (error) {
    throw error instanceof Fault ? error : pathFault(error, file.path)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** The standard input to its end, up to `maxBytes`. */
export function readStdin(maxBytes: number): Uint8Array {
  try {
    return readAll(STDIN_DESCRIPTOR, STDIN_PATH, maxBytes)
  } catch (error) {
    throw error instanceof Fault ? error : pathFault(error, STDIN_PATH)
  }
}

const STDIN_DESCRIPTOR = 0

function readAll(
  descriptor: number,
  shown: string,
  maxBytes: number,
  memory?: FileMemory,
): Uint8Array {
  const facts = fstatSync(descriptor)
  if (facts.size > maxBytes) throw tooLarge(shown, facts.size, maxBytes)
  // Pipes, and files that the system makes up as they are read, tell no size.
  const room = facts.isFile() && facts.size > 0 ? facts.size : 65_536
  let bytes = memory?.room(room) ?? Buffer.allocUnsafeSlow(room)
  let length = 0
  for (;;) {
    const got = readSync(descriptor, bytes, length, bytes.length - length, null)
    length += got
    if (got === 0 || (facts.size > 0 && length === facts.size)) break
    if (length > maxBytes) throw tooLarge(shown, length, maxBytes)
    if (length === bytes.length) {
      const larger = Buffer.allocUnsafeSlow(bytes.length * 2)
      bytes.copy(larger)
      bytes = larger
    }
  }
  return bytes.subarray(0, length)
}

function tooLarge(shown: string, sizeBytes: number, maxBytes: number): Fault {
  return new Fault('FILE_TOO_LARGE', {
    what: `${shown} has ${megabytes(sizeBytes)}, more than the limit of ${megabytes(maxBytes)}`,
    why: 'no manifest is that large, and reading such files could exhaust memory',
    remedy: 'leave it out with an ignore entry in semel.yaml, or raise --max-file-size',
    where: shown,
  })
}

function megabytes(sizeBytes: number): string {
  if (sizeBytes < 1024 * 1024) return `${sizeBytes} bytes`
  return `${(Math.ceil((sizeBytes / 1024 / 1024) * 10) / 10).toString()} MiB`
}

/** Turns an error of the file system into a fault, by its code. */
export function pathFault(error: unknown, shown: string): Fault {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new Fault('PATH_NOT_FOUND', {
      what: `${shown} does not exist`,
      why: 'so nothing below it was judged',
      remedy: 'check the spelling and the folder from which semel was started',
      where: shown,
      cause: error,
    })
  }
  const reason = REASONS[code] ?? `the system answered ${code}`
  return new Fault('PATH_UNREADABLE', {
    what: `${shown} cannot be read`,
    why: reason,
    remedy: 'make it readable for the user who runs semel, or leave it out',
    where: shown,
    cause: error,
  })
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission to read it',
  EPERM: 'this user has no permission to read it',
  ELOOP: 'its links lead in a circle',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its name is too long for this system',
  EMFILE: 'too many files are open',
  EIO: 'the disk failed to deliver it',
}
