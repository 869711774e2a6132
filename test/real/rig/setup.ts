import type { TestProject } from 'vitest/node'
import { buildControlPlane, type Binaries } from './build.ts'
import type { Access } from './client.ts'
import { startControlPlane } from './control-plane.ts'
import { startPlayer } from './player.ts'
import { buildTools } from './tools.ts'

/**
 * One control plane and one player for the whole run of test/real; tests get them by `real()`.
 * Where they cannot be had, the reason is what every test file fails with.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const say = (line: string): void => void process.stdout.write(`test/real: ${line}\n`)
  try {
    return await start(project, say)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    say(problem)
    project.provide('real', { problem })
    return () => Promise.resolve()
  }
}

async function start(
  project: TestProject,
  say: (line: string) => void,
): Promise<() => Promise<void>> {
  const binaries = await buildControlPlane(process.env['SEMEL_REAL_VERSION'], say)
  await buildTools(say)
  const startedAt = performance.now()
  const plane = await startControlPlane(binaries, { label: 'suite' })
  const player = await startPlayer(plane.client)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  say(`Kubernetes ${plane.version} is ready at ${plane.url} after ${seconds} s`)
  project.provide('real', { binaries, access: plane.access, kubeconfig: plane.kubeconfig })
  return async () => {
    const problem = plane.problem()
    const problems = [...(problem === undefined ? [] : [problem]), ...player.problems]
    await player.stop()
    await plane.stop()
    if (problems.length > 0) throw new Error(problems.join('\n'))
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly real: ProvidedPlane | { readonly problem: string }
  }
}

/** What can be handed to the processes that run the tests. */
interface ProvidedPlane {
  readonly binaries: Binaries
  readonly access: Access
  readonly kubeconfig: string
}
