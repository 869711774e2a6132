import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { watchFolders } from '../../src/adapters/watch.ts'
import type { Waiting } from '../../src/cli/io.ts'
import { folder, job, semel, type Answer, type World } from './cli.ts'

const moving = (name: string): string => job(name).replace(/@sha256:5+/, ':latest')

/** Time stands still until the test says so, and files change when it says so. */
class Room implements Waiting {
  readonly cwd: string
  folders: readonly string[] = []
  isWatching = true
  private readonly timers: { ms: number; run: () => void }[] = []
  private readonly looks: (() => void)[] = []
  private changed: (file: string) => void = () => {}
  private interrupt: (() => void) | undefined

  constructor(cwd: string) {
    this.cwd = cwd
  }

  watch(changed: (file: string) => void): ReturnType<Waiting['watch']> {
    this.changed = changed
    return {
      set: (folders) => {
        this.folders = folders
        for (const look of this.looks.splice(0)) look()
      },
      stop: () => {
        this.isWatching = false
      },
    }
  }

  after(ms: number, run: () => void): () => void {
    const timer = { ms, run }
    this.timers.push(timer)
    return () => {
      const at = this.timers.indexOf(timer)
      if (at >= 0) this.timers.splice(at, 1)
    }
  }

  interrupted(run: () => void): () => void {
    this.interrupt = run
    return () => {
      this.interrupt = undefined
    }
  }

  /** The end of the next look. */
  look(): Promise<void> {
    return new Promise((resolve) => this.looks.push(resolve))
  }

  put(name: string, text: string): void {
    mkdirSync(path.dirname(path.join(this.cwd, name)), { recursive: true })
    writeFileSync(path.join(this.cwd, name), text)
    this.tell(name)
  }

  tell(name: string): void {
    this.changed(path.join(this.cwd, name))
  }

  get waits(): number {
    return this.timers.length
  }

  /** Lets the pause end, and waits for the look that follows. */
  async settle(): Promise<void> {
    const done = this.look()
    for (const { run } of this.timers.splice(0)) run()
    await done
    await turn()
  }

  end(): void {
    this.interrupt?.()
  }

  get isListening(): boolean {
    return this.interrupt !== undefined
  }
}

/** What is printed after the folders are set. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function started(
  files: Readonly<Record<string, string>>,
  args = '',
  world: World = {},
): Promise<{ room: Room; answer: Promise<Answer>; said: () => string; heard: () => string }> {
  const room = new Room(folder(files))
  const out: string[] = []
  const err: string[] = []
  // Twice: what happened in a folder before it was watched is looked for once more.
  const looks = (async () => {
    await room.look()
    await room.look()
    await turn()
  })()
  const answer = semel(`lint --engine kubectl --watch ${args}`, {
    cwd: room.cwd,
    waiting: room,
    write: { out: (text) => out.push(text), err: (text) => err.push(text) },
    ...world,
  })
  await looks
  const taken = (texts: string[]) => (): string => texts.splice(0).join('')
  return { room, answer, said: taken(out), heard: taken(err) }
}

describe('semel lint --watch', () => {
  it('prints everything first, and then only what is new or gone', async () => {
    const { room, answer, said, heard } = await started({
      'a.yaml': moving('a'),
      'b.yaml': job('b'),
    })
    expect(said()).toContain('mutable-tag')
    expect(heard()).toBe('Waiting for changes; Ctrl-C ends it.\n')

    room.put('b.yaml', moving('b'))
    await room.settle()
    const more = said()
    expect(more).toContain('b.yaml:14:18  warning  mutable-tag')
    expect(more).not.toContain('a.yaml')
    expect(more).toContain('2 warnings in 2 of 2 files')

    room.put('a.yaml', job('a'))
    await room.settle()
    expect(said()).toMatch(
      /^gone a\.yaml:14:18: warning mutable-tag: .*\n1 warning in 1 of 2 files/,
    )
    room.end()
    expect((await answer).code).toBe(1)
  })

  it('says nothing where nothing has become another, also when lines move', async () => {
    const { room, said, answer } = await started({ 'a.yaml': moving('a') })
    said()
    room.put('a.yaml', `# one\n# two\n${moving('a')}`)
    await room.settle()
    room.put('a.yaml', moving('a'))
    await room.settle()
    expect(said()).toBe('')
    room.end()
    await answer
  })

  it('waits until a burst of changes is over', async () => {
    const { room, said, answer } = await started({ 'a.yaml': job('a') })
    said()
    for (const tag of ['one', 'two', 'latest']) {
      room.put('a.yaml', job('a').replace(/@sha256:5+/, `:${tag}`))
    }
    expect(room.waits).toBe(1)
    await room.settle()
    expect(said().match(/mutable-tag/g)).toHaveLength(1)
    room.end()
    await answer
  })

  it('does not look at what editors and semel itself write', async () => {
    const { room, answer } = await started({ 'a.yaml': moving('a') }, '-o text -o json=out.json')
    for (const name of ['a.yaml~', '.a.yaml.swp', '.a.yaml.semel-123', 'out.json']) room.tell(name)
    expect(room.waits).toBe(0)
    room.put('b.yaml', moving('b'))
    await room.settle()
    const report = JSON.parse(readFileSync(path.join(room.cwd, 'out.json'), 'utf8'))
    expect(report.findings).toHaveLength(2)
    expect(report.summary.files).toBe(2)
    room.end()
    await answer
  })

  it('watches the folders that it reads, new ones too', async () => {
    const { room, answer, said } = await started({
      'a/a.yaml': job('a'),
      'node_modules/x.yaml': '',
    })
    const below = (name: string): string => path.join(room.cwd, name)
    expect(room.folders).toContain(below('a'))
    expect(room.folders).not.toContain(below('node_modules'))
    said()
    room.put('new/deep/b.yaml', moving('b'))
    await room.settle()
    expect(room.folders).toContain(below('new/deep'))
    expect(said()).toContain('new/deep/b.yaml')
    room.end()
    await answer
  })

  it('goes on through what would end a single run, and tells of each problem once', async () => {
    const { room, heard, said, answer } = await started({ 'a.yaml': moving('a') })
    heard()
    said()
    room.put('semel.yaml', 'version: 2\n')
    await room.settle()
    expect(heard()).toContain('CONFIG_INVALID')
    room.put('a.yaml', job('a'))
    await room.settle()
    expect(heard()).toBe('')
    rmSync(path.join(room.cwd, 'semel.yaml'))
    rmSync(path.join(room.cwd, 'a.yaml'))
    room.tell('a.yaml')
    await room.settle()
    expect(heard()).toContain('NO_INPUT')
    room.put('a.yaml', moving('b'))
    await room.settle()
    expect(said()).toContain('Job shop/b')
    room.end()
    expect((await answer).code).toBe(1)
  })

  it('prints one line each with -o compact', async () => {
    const { room, said, answer } = await started({ 'a.yaml': job('a') }, '-o compact')
    said()
    room.put('a.yaml', moving('a'))
    await room.settle()
    expect(said().split('\n')[0]).toMatch(/^a\.yaml:14:18: warning mutable-tag: /)
    room.end()
    await answer
  })

  it('ends clean: nothing is watched, waited for or listened to any more', async () => {
    const { room, said, answer } = await started({ 'a.yaml': job('a') }, '', { isTerminal: true })
    room.put('a.yaml', moving('a'))
    expect(room.waits).toBe(1)
    said()
    room.end()
    expect(await answer).toMatchObject({ code: 0 })
    expect(said()).toBe('\n')
    expect([room.waits, room.isWatching, room.isListening]).toEqual([0, false, false])
  })
})

describe('the watch over folders', () => {
  it('tells of a change, and of none after its end', async () => {
    const cwd = realpathSync(folder({ 'a.yaml': '', 'sub/b.yaml': '' }))
    let heard: (file: string) => void = () => {}
    const next = (): Promise<string> => new Promise((resolve) => (heard = resolve))
    const watch = watchFolders((file) => heard(file))
    watch.set([cwd])
    const first = next()
    writeFileSync(path.join(cwd, 'a.yaml'), 'x')
    expect(await first).toBe(path.join(cwd, 'a.yaml'))
    watch.set([path.join(cwd, 'sub'), path.join(cwd, 'gone')])
    const second = next()
    writeFileSync(path.join(cwd, 'a.yaml'), 'y')
    writeFileSync(path.join(cwd, 'sub/b.yaml'), 'y')
    expect(await second).toBe(path.join(cwd, 'sub/b.yaml'))
    watch.stop()
  })
})
