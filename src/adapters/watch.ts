import { watch, type FSWatcher } from 'node:fs'
import path from 'node:path'
import { Fault } from '../core/faults.ts'

/** A watch over a set of folders, which may become another set at any time. */
export interface FolderWatch {
  /** Absolute paths. Folders that are in both sets are watched on without a gap. */
  set(folders: readonly string[]): void
  stop(): void
}

/**
 * Watches folders one by one, not the tree below them, so that what nobody reads (`.git`,
 * `node_modules`) costs nothing. A folder that has gone is no fault: its own folder tells of that.
 */
export function watchFolders(changed: (file: string) => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>()
  const drop = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const add = (folder: string): void => {
    try {
      const watcher = watch(folder, (_event, name) => {
        changed(name === null ? folder : path.join(folder, name))
      })
      watcher.on('error', () => drop(folder))
      watchers.set(folder, watcher)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') return
      throw unwatchable(folder, code, error)
    }
  }
  return {
    set(folders) {
      const wanted = new Set(folders)
      for (const folder of watchers.keys()) if (!wanted.has(folder)) drop(folder)
      for (const folder of wanted) if (!watchers.has(folder)) add(folder)
    },
    stop() {
      for (const folder of watchers.keys()) drop(folder)
    },
  }
}

function unwatchable(folder: string, code: string | undefined, cause: unknown): Fault {
  const isFull = code === 'ENOSPC' || code === 'EMFILE'
  return new Fault('PATH_UNREADABLE', {
    what: `${folder} cannot be watched`,
    why: isFull
      ? 'the system watches no more folders for this user'
      : `the system answered ${code ?? 'with an unknown error'}`,
    remedy: isFull
      ? 'raise fs.inotify.max_user_watches and max_user_instances, or watch a smaller folder'
      : 'run semel lint without --watch',
    where: folder,
    cause,
  })
}
