import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { cached } from './cache.ts'
import { go, goBuild } from './go.ts'

/** The Kubernetes that go/kube/go.mod pins. */
const DEFAULT_VERSION = '1.36.3'

const ETCD = fileURLToPath(new URL('go/etcd/', import.meta.url))
const KUBE = fileURLToPath(new URL('go/kube/', import.meta.url))
const PROGRAMS = ['kube-apiserver', 'kube-controller-manager', 'kubectl'] as const

/**
 * etcd and Kubernetes' programs, built from their Go modules: minutes the first time, nothing when
 * the cache has them. Another version than the pinned one gets its go.mod made first.
 */
export async function buildControlPlane(
  version: string = DEFAULT_VERSION,
  say: (line: string) => void = () => {},
): Promise<Binaries> {
  const folder = await cached(
    `${version}-${hashOfModules()}`,
    (into) => build(version, into, say),
    say,
  )
  const binary = (name: string): string => path.join(folder, name)
  return {
    version,
    etcd: binary('etcd'),
    kubeApiServer: binary('kube-apiserver'),
    kubeControllerManager: binary('kube-controller-manager'),
    kubectl: binary('kubectl'),
  }
}

/** Paths of executables. */
export interface Binaries {
  readonly version: string
  readonly etcd: string
  readonly kubeApiServer: string
  readonly kubeControllerManager: string
  readonly kubectl: string
}

async function build(version: string, into: string, say: (line: string) => void): Promise<void> {
  const startedAt = performance.now()
  say(`building etcd and Kubernetes ${version} (6 minutes on 2 cores, seconds when Go has them)`)
  const etcd = { name: 'etcd', module: ETCD, packages: ['.'], output: path.join(into, 'etcd') }
  await goBuild({ ...etcd, say })
  const module = version === DEFAULT_VERSION ? KUBE : await moduleOf(version, say)
  try {
    for (const name of PROGRAMS) {
      const packages = [`k8s.io/kubernetes/cmd/${name}`]
      const output = path.join(into, name)
      await goBuild({ name, module, packages, output, linker: versionFlags(version), say })
    }
  } finally {
    if (module !== KUBE) rmSync(module, { recursive: true, force: true })
  }
  say(`built them in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
}

/** kubectl and some clients refuse a server that does not say its version. */
function versionFlags(version: string): readonly string[] {
  const [major, minor] = version.split('.')
  const set = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor }
  return Object.entries(set).map(
    ([name, value]) => `-X=k8s.io/component-base/version.${name}=${value}`,
  )
}

/**
 * A module like go/kube for another version. Kubernetes requires its own parts as v0.0.0, so each
 * of them is replaced by the release that belongs to it.
 */
async function moduleOf(version: string, say: (line: string) => void): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'semel-real-module-'))
  const run = { name: `the module of Kubernetes ${version}`, say }
  cpSync(path.join(KUBE, 'go.mod'), path.join(folder, 'go.mod'))
  const answer = await go(
    folder,
    ['mod', 'download', '-json', `k8s.io/kubernetes@v${version}`],
    run,
  )
  const { GoMod } = JSON.parse(answer) as { readonly GoMod: string }
  const theirs = readFileSync(GoMod, 'utf8')
  const parts = [...theirs.matchAll(/^\s*(k8s\.io\/\S+) v0\.0\.0(?=\s)/gm)].map((match) => match[1])
  const goLine = /^go \S+$/m.exec(theirs)?.[0] ?? 'go 1.26.0'
  const debug = /^godebug default=\S+$/m.exec(theirs)?.[0] ?? ''
  const tools = PROGRAMS.map((name) => `tool k8s.io/kubernetes/cmd/${name}`)
  const released = version.replace(/^1/, 'v0')
  const replaced = [...new Set(parts)].map((part) => `replace ${part} => ${part} ${released}`)
  const require = `require k8s.io/kubernetes v${version}`
  const text = ['module semel.dev/test/real', goLine, debug, ...tools, require, ...replaced].join(
    '\n',
  )
  writeFileSync(path.join(folder, 'go.mod'), `${text}\n`)
  await go(folder, ['mod', 'tidy'], run)
  return folder
}

function hashOfModules(): string {
  const hash = createHash('sha256')
  for (const folder of [ETCD, KUBE]) {
    for (const name of ['go.mod', 'go.sum', ...(folder === ETCD ? ['main.go'] : [])]) {
      hash.update(readFileSync(path.join(folder, name)))
      hash.update('\0')
    }
  }
  return hash.digest('hex').slice(0, 12)
}
