import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** What kubectl makes of a manifest before it would send it: JSON, or its complaint. */
export async function kubectlReads(
  kubectl: string,
  manifest: string | Uint8Array,
): Promise<string> {
  const args = ['label', '--local', '-f', '-', 'semel-probe=x', '-o', 'json']
  const child = spawn(kubectl, args, { env: environment() })
  child.stdin.end(manifest)
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
  return stdout === '' ? `error: ${stderr}` : stdout
}

/** What `kubectl kustomize` writes for a folder with one resource. */
export async function kustomizeReads(kubectl: string, manifest: string): Promise<string> {
  return inFolder(async (folder) => {
    await writeFile(path.join(folder, 'kustomization.yaml'), 'resources: [resource.yaml]\n')
    await writeFile(path.join(folder, 'resource.yaml'), manifest)
    return run(kubectl, ['kustomize', folder])
  })
}

/**
 * What Helm's `fromYaml` makes of many texts, in one run: JSON, or undefined where it has no
 * answer. Its errors come as an object with the one key `Error`.
 */
export async function helmReads(
  helm: string,
  texts: readonly (string | Uint8Array)[],
): Promise<readonly (string | undefined)[]> {
  return inFolder(async (folder) => {
    await writeFile(path.join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: c\nversion: 0.1.0\n')
    await mkdir(path.join(folder, 'templates'))
    await mkdir(path.join(folder, 'texts'))
    await writeFile(path.join(folder, 'templates', 'all.yaml'), HELM_TEMPLATE)
    for (const [index, text] of texts.entries()) {
      await writeFile(path.join(folder, 'texts', String(index)), text)
    }
    const output = await run(helm, ['template', 'x', folder])
    const answers: (string | undefined)[] = texts.map(() => undefined)
    for (const [, index, encoded] of output.matchAll(/^#@texts\/(\d+) (\S+)$/gm)) {
      answers[Number(index)] = Buffer.from(encoded ?? '', 'base64').toString()
    }
    return answers
  })
}

const HELM_TEMPLATE = `{{ range $path, $_ := .Files.Glob "texts/*" }}
#@{{ $path }} {{ $.Files.Get $path | fromYaml | toJson | b64enc }}{{ end }}
`

async function inFolder(use: (folder: string) => Promise<string>): Promise<string>
async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T>
async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'semel-yaml-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function run(file: string, args: readonly string[]): Promise<string> {
  try {
    const options = { env: environment(), maxBuffer: 1 << 28 }
    return (await promisify(execFile)(file, args, options)).stdout
  } catch (error) {
    return `error: ${(error as { stderr?: string }).stderr ?? String(error)}`
  }
}

function environment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/bin:/bin', HOME: '/nonexistent', KUBECONFIG: '/nonexistent/config' }
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts).toString()
}
