import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Fault } from '../core/faults.ts'

/**
 * Runs `kubectl kustomize` and `helm template` from the PATH: two at a time, each with a limit of
 * time, memory and output, and all together with a limit of time. They get an environment of their
 * own without cluster, plugins, repositories or settings of the user, and no network: where the
 * system lets us (Linux user namespaces) there is none, elsewhere proxies lead nowhere and git
 * refuses every protocol.
 */
export class Renderer {
  private readonly options: RenderOptions
  private readonly home: string
  private readonly startedAt: number
  private readonly waiting: (() => void)[] = []
  private readonly tools = new Map<RenderTool, string | undefined>()
  private running = 0
  private wrapper: readonly string[] | undefined

  constructor(options: RenderOptions) {
    this.options = options
    this.startedAt = performance.now()
    this.home = mkdtempSync(path.join(tmpdir(), 'semel-render-'))
  }

  /** Throws RENDER_TOOL_MISSING, or RENDER_FAILED with the tool's own words. */
  async render(call: RenderCall): Promise<Uint8Array> {
    const file = this.fileOf(call)
    await this.slot()
    try {
      return await this.run(file, call)
    } finally {
      this.running -= 1
      this.waiting.shift()?.()
    }
  }

  /** Removes what the tools have left behind. */
  close(): void {
    rmSync(this.home, { recursive: true, force: true })
  }

  private async slot(): Promise<void> {
    while (this.running >= AT_ONCE) {
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve)
      })
    }
    this.running += 1
  }

  private fileOf({ tool, what }: RenderCall): string {
    if (!this.tools.has(tool)) this.tools.set(tool, onPath(tool, this.options.env['PATH'] ?? ''))
    const file = this.tools.get(tool)
    if (file !== undefined) return file
    throw new Fault('RENDER_TOOL_MISSING', {
      what: `${what} cannot be rendered: there is no ${tool} on the PATH`,
      why: `--render lets ${tool} make the manifests, as ${ENGINES_OF[tool]} would`,
      remedy: `install ${tool}, or leave --render out and judge what is written`,
    })
  }

  private run(file: string, call: RenderCall): Promise<Uint8Array> {
    const left = TOTAL_MS - (performance.now() - this.startedAt)
    const limitMs = Math.min(this.options.callMs ?? CALL_MS, left)
    if (limitMs <= 0) throw tooLong(call, TOTAL_MS, 'all renderings together')
    const [command = file, ...args] = [...this.prefix(), file, ...call.args]
    const child = spawn(command, args, {
      cwd: call.cwd,
      env: this.environment(),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
    return new Promise((resolve, reject) => {
      const out: Buffer[] = []
      const err: Buffer[] = []
      let size = 0
      let refused: Fault | undefined
      const refuse = (fault: Fault): void => {
        refused ??= fault
        killGroup(child)
      }
      const timer = setTimeout(() => refuse(tooLong(call, limitMs, 'this rendering')), limitMs)
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > MAX_OUTPUT_BYTES) refuse(tooLarge(call))
        else out.push(chunk)
      })
      child.stderr.on('data', (chunk: Buffer) => {
        if (err.length < 100) err.push(chunk)
      })
      child.stdin.on('error', () => {})
      child.stdin.end(call.stdin ?? '')
      child.on('error', (error) => refuse(failed(call, error.message)))
      child.on('close', (code) => {
        clearTimeout(timer)
        if (refused !== undefined) reject(refused)
        else if (code === 0) resolve(Buffer.concat(out))
        else reject(failed(call, Buffer.concat(err).toString('utf8')))
      })
    })
  }

  /** What stands before the command: a limit of memory, and a world without a network. */
  private prefix(): readonly string[] {
    if (process.platform !== 'linux') return []
    const limited = ['sh', '-c', `ulimit -v ${MAX_MEMORY_KIB} 2>/dev/null; exec "$@"`, 'sh']
    this.wrapper ??= canUnshare() ? ['unshare', '-r', '-n', '--', ...limited] : limited
    return this.wrapper
  }

  private environment(): NodeJS.ProcessEnv {
    return {
      PATH: this.options.env['PATH'] ?? '',
      HOME: this.home,
      KUBECONFIG: '/dev/null',
      HELM_CONFIG_HOME: path.join(this.home, 'helm-config'),
      HELM_CACHE_HOME: path.join(this.home, 'helm-cache'),
      HELM_DATA_HOME: path.join(this.home, 'helm-data'),
      HELM_PLUGINS: path.join(this.home, 'helm-plugins'),
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_TERMINAL_PROMPT: '0',
      HTTP_PROXY: NOWHERE,
      HTTPS_PROXY: NOWHERE,
      ALL_PROXY: NOWHERE,
      NO_PROXY: '',
      LC_ALL: 'C',
    }
  }
}

export type RenderTool = 'kubectl' | 'helm'

export interface RenderOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Shorter for tests. */
  readonly callMs?: number
}

export interface RenderCall {
  readonly tool: RenderTool
  readonly args: readonly string[]
  readonly cwd: string
  readonly stdin?: string
  /** For messages: `the chart charts/shop`. */
  readonly what: string
  /** The file that a message shall name. */
  readonly path: string
}

const AT_ONCE = 2
const CALL_MS = 30_000
const TOTAL_MS = 300_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const MAX_MEMORY_KIB = 4 * 1024 * 1024
/** The discard port: nobody answers there. */
const NOWHERE = 'http://127.0.0.1:9'

const ENGINES_OF: Readonly<Record<RenderTool, string>> = {
  kubectl: 'Flux and Argo CD do with kustomize',
  helm: 'helm-controller and Argo CD do with charts',
}

function onPath(tool: RenderTool, folders: string): string | undefined {
  for (const folder of folders.split(path.delimiter)) {
    if (folder === '') continue
    const file = path.join(folder, process.platform === 'win32' ? `${tool}.exe` : tool)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // Not here; the next folder may have it.
    }
  }
  return undefined
}

function canUnshare(): boolean {
  return spawnSync('unshare', ['-r', '-n', '--', 'true'], { timeout: 5_000 }).status === 0
}

/** The tool and whatever it has started itself. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

function failed({ tool, what, path: where }: RenderCall, words: string): Fault {
  const said = words
    .replaceAll(/\s+/g, ' ')
    .replace(/^ ?error: ?/i, '')
    .trim()
  return new Fault('RENDER_FAILED', {
    what: `${tool} could not render ${what}`,
    why: said === '' ? 'it gave no reason' : `it says: ${said.slice(0, MAX_WORDS)}`,
    remedy: 'correct it; what is written there was judged unrendered',
    where,
  })
}

const MAX_WORDS = 600

function tooLong({ what, path: where }: RenderCall, limitMs: number, whole: string): Fault {
  return new Fault('RENDER_FAILED', {
    what: `rendering ${what} took too long`,
    why: `${whole} may take ${Math.round(limitMs / 100) / 10} s`,
    remedy: 'render it by hand to see what holds it up, or give semel fewer folders at once',
    where,
  })
}

function tooLarge({ what, path: where }: RenderCall): Fault {
  return new Fault('RENDER_FAILED', {
    what: `rendering ${what} gave more than ${MAX_OUTPUT_BYTES / 1024 / 1024} MiB`,
    why: 'the limit guards against templates that never end',
    remedy: 'render it by hand and look for a loop in its templates',
    where,
  })
}
