import { argocd } from './argocd.ts'
import type { Engine } from './engine.ts'
import { fleet } from './fleet.ts'
import { flux } from './flux.ts'
import { helmController } from './helm-controller.ts'
import { helm } from './helm.ts'
import { kro } from './kro.ts'
import { kubectl } from './kubectl.ts'
import { resourceset } from './resourceset.ts'
import { unknown } from './unknown.ts'

/** Every engine, in alphabetical order of its id. */
export const engines: readonly Engine[] = [
  argocd,
  fleet,
  flux,
  helm,
  helmController,
  kro,
  kubectl,
  resourceset,
  unknown,
]

export function engineById(id: string): Engine | undefined {
  return engines.find((engine) => engine.id === id)
}
