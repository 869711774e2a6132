import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The installed browser, or undefined. SEMEL_CHROMIUM names another one. */
export function chromiumPath(): string | undefined {
  const named = process.env['SEMEL_CHROMIUM']
  if (named !== undefined) return named
  const folders = (process.env['PATH'] ?? '').split(path.delimiter)
  return folders
    .flatMap((folder) => NAMES.map((name) => path.join(folder, name)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** A message of the protocol, in either direction. */
interface Message {
  readonly id?: number
  readonly method?: string
  readonly sessionId?: string
  readonly params?: Record<string, unknown>
  readonly result?: Record<string, unknown>
  readonly error?: { readonly message: string }
}

/** One page of a headless Chromium, driven over a pipe: no port is opened. */
export interface Page {
  send(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>
  /** The value of an expression in the page; a promise is waited for. */
  evaluate<Value>(expression: string): Promise<Value>
  /** A key as a person presses it, with what it types: `ArrowRight`, `+`. */
  press(key: string, modifiers?: number): Promise<void>
  moveTo(x: number, y: number): Promise<void>
  click(x: number, y: number): Promise<void>
  open(address: string): Promise<void>
  /** Two frames later: what was planned for the next frame is drawn. */
  settle(): Promise<void>
  /** Errors and warnings of the console, exceptions, and refusals of the security policy. */
  readonly complaints: readonly string[]
  /** Addresses that were asked for. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

export async function openPage(program: string): Promise<Page> {
  const profile = mkdtempSync(path.join(tmpdir(), 'semel-chromium-'))
  const child = spawn(program, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const connection = connect(child)
  const targets = await connection.send('Target.getTargets')
  const infos = targets['targetInfos'] as readonly { type: string; targetId: string }[]
  const targetId = infos.find(({ type }) => type === 'page')?.targetId
  const attached = await connection.send('Target.attachToTarget', { targetId, flatten: true })
  const sessionId = String(attached['sessionId'])
  const send: Page['send'] = (method, params) => connection.send(method, params, sessionId)
  const complaints: string[] = []
  const requests: string[] = []
  let onLoad: (() => void) | undefined
  connection.listen(({ method, params = {} }) => {
    if (method === 'Page.loadEventFired') onLoad?.()
    if (method === 'Network.requestWillBeSent') {
      requests.push((params['request'] as { url: string }).url)
    }
    if (method === 'Runtime.exceptionThrown') complaints.push(JSON.stringify(params))
    if (method === 'Log.entryAdded') complaints.push(JSON.stringify(params['entry']))
    if (method === 'Runtime.consoleAPICalled' && params['type'] !== 'log') {
      complaints.push(JSON.stringify(params['args']))
    }
  })
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await send(`${domain}.enable`)
  // A page without a window would have no focus, and no ring around what has it.
  await send('Emulation.setFocusEmulationEnabled', { enabled: true })

  const evaluate = async <Value>(expression: string): Promise<Value> => {
    const options = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await send('Runtime.evaluate', options)
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
    return (result as { value: Value }).value
  }
  const mouse = (type: string, x: number, y: number, buttons: number): Promise<unknown> =>
    send('Input.dispatchMouseEvent', {
      type,
      x,
      y,
      buttons,
      button: buttons === 0 && type === 'mouseMoved' ? 'none' : 'left',
      clickCount: 1,
    })
  return {
    send,
    evaluate,
    complaints,
    requests,
    async press(key, modifiers = 0) {
      const text = key === 'Enter' ? '\r' : key.length === 1 ? key : undefined
      const code = KEY_CODES[key] ?? key.toUpperCase().charCodeAt(0)
      const event = {
        key,
        modifiers,
        windowsVirtualKeyCode: code,
        ...(text === undefined ? {} : { text }),
      }
      await send('Input.dispatchKeyEvent', { type: 'keyDown', ...event })
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
    },
    async moveTo(x, y) {
      await mouse('mouseMoved', x, y, 0)
    },
    async click(x, y) {
      await mouse('mouseMoved', x, y, 0)
      await mouse('mousePressed', x, y, 1)
      await mouse('mouseReleased', x, y, 0)
    },
    async open(address) {
      const loaded = new Promise<void>((resolve) => {
        onLoad = resolve
      })
      await send('Page.navigate', { url: address })
      await loaded
    },
    async settle() {
      await evaluate(
        'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done(0)))))',
      )
    },
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      void connection.send('Browser.close').catch(() => {})
      await gone
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

const KEY_CODES: Readonly<Record<string, number>> = {
  Enter: 13,
  Escape: 27,
  Tab: 9,
  Home: 36,
  End: 35,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
}

/** Without these, Chromium looks up its maker's hosts at every start. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--hide-scrollbars',
  '--remote-debugging-pipe',
]

interface Connection {
  send(
    method: string,
    params?: Record<string, unknown>,
    sessionId?: string,
  ): Promise<Record<string, unknown>>
  listen(listener: (message: Message) => void): void
}

/** Messages are JSON with a NUL behind each, out on descriptor 3 and in on 4. */
function connect(child: ChildProcess): Connection {
  const out = child.stdio[3] as Writable
  const back = child.stdio[4] as Readable
  const waiting = new Map<number, (message: Message) => void>()
  const listeners: ((message: Message) => void)[] = []
  let next = 0
  let rest: Buffer = Buffer.alloc(0)
  back.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const message = JSON.parse(rest.subarray(0, end).toString('utf8')) as Message
      rest = rest.subarray(end + 1)
      if (message.id === undefined) for (const listener of listeners) listener(message)
      else waiting.get(message.id)?.(message)
    }
  })
  out.on('error', () => {})
  child.once('exit', () => {
    for (const answer of waiting.values()) answer({ error: { message: 'Chromium has ended' } })
  })
  return {
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        const id = (next += 1)
        waiting.set(id, ({ result, error }) => {
          waiting.delete(id)
          if (error === undefined) resolve(result ?? {})
          else reject(new Error(`${method}: ${error.message}`))
        })
        const session = sessionId === undefined ? {} : { sessionId }
        out.write(`${JSON.stringify({ id, method, params, ...session })}\0`)
      }),
    listen(listener) {
      listeners.push(listener)
    },
  }
}
