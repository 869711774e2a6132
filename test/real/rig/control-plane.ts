import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Binaries } from './build.ts'
import { createClient, type Access, type Client } from './client.ts'
import { freePorts, Programs } from './programs.ts'

const READY_WITHIN_MS = 60_000
const POLL_MS = 50
const ATTEMPTS = 3
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
    const programs = new Programs(settings.label ?? 'control-plane')
    try {
      return await start(binaries, settings, programs)
    } catch (error) {
      await programs.endAll()
      // Somebody else took the port between our asking and the program's listening.
      const isPortTaken = error instanceof Error && error.message.includes('address already in use')
      if (!isPortTaken || attempt === ATTEMPTS) throw error
      programs.removeFolder({ evenIfFailed: true })
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
  programs: Programs,
): Promise<ControlPlane> {
  const { folder } = programs
  const [etcdPort, peerPort, port] = await freePorts(3)
  const etcdUrl = `http://127.0.0.1:${etcdPort}`
  programs.run(binaries.etcd, etcdArgs(folder, etcdUrl, `http://127.0.0.1:${peerPort}`))
  writeKeys(folder)
  programs.run(binaries.kubeApiServer, [
    ...apiServerArgs(folder, etcdUrl, Number(port)),
    ...(settings.apiServerArgs ?? []),
  ])
  const access = await ready(Number(port), programs)
  const kubeconfig = writeKubeconfig(folder, access.port)
  if (settings.controllerManager !== false) {
    programs.run(binaries.kubeControllerManager, [
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
    pids: programs.pids(),
    problem: () => programs.problem(),
    stop: async () => {
      client.close()
      await programs.endAll()
      programs.removeFolder({ evenIfFailed: true })
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
async function ready(port: number, programs: Programs): Promise<Access> {
  const deadline = performance.now() + READY_WITHIN_MS
  for (;;) {
    const problem = programs.problem()
    if (problem !== undefined) throw new Error(problem)
    const access = await whenReady(port, programs.folder)
    if (access !== undefined) return access
    if (performance.now() > deadline) {
      const seconds = READY_WITHIN_MS / 1000
      throw new Error(
        `the API server was not ready after ${seconds} s:\n${programs.tail('kube-apiserver')}`,
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
