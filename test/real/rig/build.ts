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
const MODULE = 'module semel.dev/test/real'
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
  const module = mkdtempSync(path.join(tmpdir(), 'semel-real-module-'))
  try {
    if (version === DEFAULT_VERSION) cpSync(KUBE, module, { recursive: true })
    else await writeModule(module, version, say)
    for (const name of PROGRAMS) {
      const packages = [`k8s.io/kubernetes/cmd/${name}`]
      const output = path.join(into, name)
      await goBuild({ name, module, packages, output, linker: versionFlags(version), say })
    }
  } finally {
    rmSync(module, { recursive: true, force: true })
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

/** Writes a module like go/kube for another version. */
async function writeModule(
  folder: string,
  version: string,
  say: (line: string) => void,
): Promise<void> {
  const run = { name: `the module of Kubernetes ${version}`, say }
  writeFileSync(path.join(folder, 'go.mod'), `${MODULE}\n`)
  const download = ['mod', 'download', '-json', `k8s.io/kubernetes@v${version}`]
  const { GoMod } = JSON.parse(await go(folder, download, run)) as { readonly GoMod: string }
  writeFileSync(path.join(folder, 'go.mod'), moduleText(version, readFileSync(GoMod, 'utf8')))
  await go(folder, ['mod', 'tidy'], run)
}

/**
 * Kubernetes requires its own parts as v0.0.0, so each of them is replaced by the release that
 * belongs to it.
 */
function moduleText(version: string, theirs: string): string {
  const parts = [...theirs.matchAll(/^\s*(k8s\.io\/\S+) v0\.0\.0(?=\s)/gm)].map((match) => match[1])
  const released = version.replace(/^1\./, 'v0.')
  const lines = [
    MODULE,
    /^go \S+$/m.exec(theirs)?.[0] ?? '',
    /^godebug default=\S+$/m.exec(theirs)?.[0] ?? '',
    ...PROGRAMS.map((name) => `tool k8s.io/kubernetes/cmd/${name}`),
    `require k8s.io/kubernetes v${version}`,
    ...[...new Set(parts)].map((part) => `replace ${part} => ${part} ${released}`),
  ]
  return `${lines.join('\n')}\n`
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
