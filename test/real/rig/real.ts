import { spawn } from 'node:child_process'
import { inject } from 'vitest'
import type { Binaries } from './build.ts'
import { createClient, type Body, type Client } from './client.ts'

const POLL_MS = 50

/** The control plane of this run, with a player on its one node. */
export function real(): Real {
  const provided = inject('real')
  if ('problem' in provided) throw new Error(`no control plane: ${provided.problem}`)
  const { binaries, access, kubeconfig } = provided
  return { binaries, kubeconfig, client: createClient(access) }
}

export interface Real {
  readonly binaries: Binaries
  readonly kubeconfig: string
  readonly client: Client
}

/** The kubectl of the same version, with full rights and nothing of this machine's own settings. */
export function kubectl(
  { binaries, kubeconfig }: Real,
  args: readonly string[],
  stdin = '',
): Promise<KubectlAnswer> {
  return new Promise((resolve, reject) => {
    const env = { KUBECONFIG: kubeconfig, HOME: '/nonexistent', PATH: '/usr/bin:/bin' }
    const child = spawn(binaries.kubectl, args, { env })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, out: text(out), err: text(err) }))
    child.stdin.on('error', () => {})
    child.stdin.end(stdin)
  })
}

export interface KubectlAnswer {
  readonly code: number
  readonly out: string
  readonly err: string
}

function text(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8')
}

/** A namespace that no other test has. */
export async function newNamespace(client: Client, prefix: string): Promise<string> {
  const metadata = { generateName: `${prefix}-` }
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata }
  const { code, body } = await client.request('POST', '/api/v1/namespaces', namespace)
  if (code !== 201) throw new Error(`no namespace: ${code} ${body.message}`)
  return body.metadata?.name ?? ''
}

/** Asks again and again until `holds`; fails with what was seen last. */
export async function until(
  client: Client,
  path: string,
  holds: (body: Body, code: number) => boolean,
  withinMs = 60_000,
): Promise<Body> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const { code, body } = await client.request('GET', path)
    if (holds(body, code)) return body
    if (performance.now() > deadline) {
      const seen = JSON.stringify({
        ...body,
        metadata: { ...body.metadata, managedFields: undefined },
      })
      throw new Error(
        `${path} was not as expected within ${withinMs} ms; last seen: ${code} ${seen}`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Whether a Job (or any object) has the condition with status True. */
export function hasCondition({ status }: Body, type: string): boolean {
  const conditions = typeof status === 'object' ? status['conditions'] : undefined
  return ((conditions ?? []) as readonly { type: string; status: string }[]).some(
    (condition) => condition.type === type && condition.status === 'True',
  )
}
