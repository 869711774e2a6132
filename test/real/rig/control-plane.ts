import { spawn, type ChildProcess } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import {
  openSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Binaries } from './build.ts'
import { createClient, type Access, type Client } from './client.ts'

const READY_WITHIN_MS = 60_000
const POLL_MS = 50
const ATTEMPTS = 3
const TAIL_LINES = 12
const TOKEN = 'admin-token'

/**
 * etcd, an API server and (unless told otherwise) the controllers, on free ports of loopback, with
 * all files in a temporary folder. Ready to be asked when the promise is fulfilled; everything that
 * was started is ended by `stop`, and also when this process ends in any other way.
 */
export async function startControlPlane(
  binaries: Binaries,
  settings: ControlPlaneSettings = {},
): Promise<ControlPlane> {
  for (let attempt = 1; ; attempt += 1) {
    const started = new Started(settings.label ?? 'control-plane')
    try {
      return await start(binaries, settings, started)
    } catch (error) {
      await started.endAll()
      // Somebody else took the port between our asking and the program's listening.
      const isPortTaken = error instanceof Error && error.message.includes('address already in use')
      if (!isPortTaken || attempt === ATTEMPTS) throw error
      started.removeFolder()
    }
  }
}

export interface ControlPlaneSettings {
  /** Part of the folder's name and of messages. */
  readonly label?: string
  readonly apiServerArgs?: readonly string[]
  readonly controllerManagerArgs?: readonly string[]
  /** false: an API server alone, where nothing happens by itself. */
  readonly controllerManager?: boolean
}

export interface ControlPlane {
  readonly version: string
  readonly access: Access
  readonly client: Client
  readonly url: string
  readonly etcdUrl: string
  /** For kubectl, Helm and other clients: full rights. */
  readonly kubeconfig: string
  /** Holds the logs until `stop`. */
  readonly folder: string
  readonly pids: readonly number[]
  /** Which program has ended by itself, with the last lines of its log; undefined when none has. */
  readonly problem: () => string | undefined
  /** Ends the programs and removes the folder. */
  readonly stop: () => Promise<void>
}

async function start(
  binaries: Binaries,
  settings: ControlPlaneSettings,
  started: Started,
): Promise<ControlPlane> {
  const { folder } = started
  const [etcdPort, peerPort, port] = await freePorts(3)
  const etcdUrl = `http://127.0.0.1:${etcdPort}`
  started.run(binaries.etcd, etcdArgs(folder, etcdUrl, `http://127.0.0.1:${peerPort}`))
  writeKeys(folder)
  started.run(binaries.kubeApiServer, [
    ...apiServerArgs(folder, etcdUrl, Number(port)),
    ...(settings.apiServerArgs ?? []),
  ])
  const access = await ready(Number(port), started)
  const kubeconfig = writeKubeconfig(folder, access.port)
  if (settings.controllerManager !== false) {
    started.run(binaries.kubeControllerManager, [
      ...controllerManagerArgs(folder, kubeconfig),
      ...(settings.controllerManagerArgs ?? []),
    ])
  }
  const client = createClient(access)
  return {
    version: binaries.version,
    access,
    client,
    url: `https://127.0.0.1:${access.port}`,
    etcdUrl,
    kubeconfig,
    folder,
    pids: started.pids(),
    problem: () => started.problem(),
    stop: async () => {
      client.close()
      await started.endAll()
      started.removeFolder()
    },
  }
}

function etcdArgs(folder: string, url: string, peerUrl: string): readonly string[] {
  return [
    `--data-dir=${path.join(folder, 'etcd')}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ]
}

function apiServerArgs(folder: string, etcdUrl: string, port: number): readonly string[] {
  const pki = path.join(folder, 'pki')
  return [
    `--etcd-servers=${etcdUrl}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--cert-dir=${pki}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${path.join(pki, 'sa.pub')}`,
    `--service-account-signing-key-file=${path.join(pki, 'sa.key')}`,
    `--token-auth-file=${path.join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--endpoint-reconciler-type=none',
    // Pods need no token of a service account where nothing runs in them.
    '--disable-admission-plugins=ServiceAccount',
  ]
}

function controllerManagerArgs(folder: string, kubeconfig: string): readonly string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--service-account-private-key-file=${path.join(folder, 'pki', 'sa.key')}`,
    '--leader-elect=false',
    '--secure-port=0',
    '--controllers=*,-nodeipam,-route,-cloud-node-lifecycle',
  ]
}

function writeKeys(folder: string): void {
  const pki = path.join(folder, 'pki')
  mkdirSync(pki)
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  writeFileSync(path.join(pki, 'sa.key'), keys.privateKey, { mode: 0o600 })
  writeFileSync(path.join(pki, 'sa.pub'), keys.publicKey)
  writeFileSync(path.join(folder, 'tokens.csv'), `${TOKEN},admin,1,"system:masters"\n`)
}

function writeKubeconfig(folder: string, port: number): string {
  const file = path.join(folder, 'kubeconfig')
  const cluster = {
    server: `https://127.0.0.1:${port}`,
    'certificate-authority': path.join(folder, 'pki', 'apiserver.crt'),
  }
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'admin', user: { token: TOKEN } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
    'current-context': 'test',
  }
  writeFileSync(file, JSON.stringify(config))
  return file
}

/** Waits until the API server says that it is ready; fails at once when a program has ended. */
async function ready(port: number, started: Started): Promise<Access> {
  const deadline = performance.now() + READY_WITHIN_MS
  for (;;) {
    const problem = started.problem()
    if (problem !== undefined) throw new Error(problem)
    const access = await whenReady(port, started.folder)
    if (access !== undefined) return access
    if (performance.now() > deadline) {
      const seconds = READY_WITHIN_MS / 1000
      throw new Error(
        `the API server was not ready after ${seconds} s:\n${started.tail('kube-apiserver')}`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

async function whenReady(port: number, folder: string): Promise<Access | undefined> {
  let client: Client | undefined
  try {
    const ca = readFileSync(path.join(folder, 'pki', 'apiserver.crt'), 'utf8')
    const access = { port, token: TOKEN, ca }
    client = createClient(access)
    const { code } = await client.request('GET', '/readyz')
    return code === 200 ? access : undefined
  } catch {
    return undefined
  } finally {
    client?.close()
  }
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.on('error', reject)
          server.listen(0, '127.0.0.1', () => {
            const address = server.address()
            resolve(typeof address === 'object' && address !== null ? address.port : 0)
          })
        }),
    ),
  )
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** The programs of one control plane and their folder. */
class Started {
  readonly folder: string
  readonly #children = new Map<string, ChildProcess>()
  readonly #keeper: ChildProcess
  #ending = false
  #failed = false

  constructor(label: string) {
    this.folder = mkdtempSync(path.join(tmpdir(), `semel-real-${label}-`))
    const script = fileURLToPath(new URL('keeper.mjs', import.meta.url))
    this.#keeper = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'ignore'] })
    this.#keeper.stdin?.on('error', () => {})
  }

  run(file: string, args: readonly string[]): void {
    const name = path.basename(file)
    const log = openSync(this.#log(name), 'w')
    const child = spawn(file, args, { cwd: this.folder, stdio: ['ignore', log, log] })
    closeSync(log)
    this.#children.set(name, child)
    child.on('error', (error) => writeFileSync(this.#log(name), error.message))
    if (child.pid === undefined) return
    this.#keeper.stdin?.write(`${child.pid}\n`)
    child.on('exit', () => this.#keeper.stdin?.write(`-${child.pid}\n`))
  }

  pids(): readonly number[] {
    return [...this.#children.values()].flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
  }

  problem(): string | undefined {
    if (this.#ending) return undefined
    for (const [name, child] of this.#children) {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) continue
      this.#failed = true
      const how = child.signalCode ?? `code ${child.exitCode}`
      return `${name} ended with ${how} (${this.#log(name)}):\n${this.tail(name)}`
    }
    return undefined
  }

  tail(name: string): string {
    this.#failed = true
    return readFileSync(this.#log(name), 'utf8').trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
  }

  /** Nothing of it is worth an orderly end: the data goes with the folder. */
  async endAll(): Promise<void> {
    this.#ending = true
    await Promise.all([...this.#children.values()].map(ended))
    this.#keeper.stdin?.end()
    await new Promise<void>((resolve) => {
      if (this.#keeper.exitCode !== null) resolve()
      else this.#keeper.once('exit', () => resolve())
    })
  }

  /** Logs of a failure stay. */
  removeFolder(): void {
    const keep = this.#failed || process.env['SEMEL_REAL_KEEP'] !== undefined
    if (!keep) rmSync(this.folder, { recursive: true, force: true })
  }

  #log(name: string): string {
    return path.join(this.folder, `${name}.log`)
  }
}

function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve()
  }
  return new Promise((resolve) => {
    child.once('close', () => resolve())
    child.kill('SIGKILL')
  })
}
