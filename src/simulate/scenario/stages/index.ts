import type { ScenarioEngine } from '../stage.ts'
import { argocdStage } from './argocd.ts'
import { fleetStage } from './fleet.ts'
import { fluxHelmRelease } from './flux-helmrelease.ts'
import { fluxKustomization } from './flux-kustomization.ts'
import { fluxResourceSet } from './flux-resourceset.ts'
import { genericReconciler } from './generic-reconciler.ts'
import { helmCli } from './helm.ts'
import { kroStage } from './kro.ts'
import { kubectlStage } from './kubectl-schedule.ts'
import { plainKubernetes } from './kubernetes.ts'
import { terraformStage } from './terraform.ts'

/** The engines of scenarios. One line each. */
export const scenarioEngines: readonly ScenarioEngine[] = [
  argocdStage,
  fleetStage,
  fluxHelmRelease,
  fluxKustomization,
  fluxResourceSet,
  genericReconciler,
  helmCli,
  kroStage,
  kubectlStage,
  plainKubernetes,
  terraformStage,
]
