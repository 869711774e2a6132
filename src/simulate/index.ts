// `semel/simulate`: engines and Kubernetes in virtual time, and the history that comes out. Pure:
// CEL expressions are evaluated by what is handed in as `tools.cel`.
export type { Cel } from '../cluster/api/contract.ts'
export type { Cause, Trigger, TriggerKind } from '../cluster/actor.ts'
export type { Workload } from '../cluster/kubelet/scenario-script.ts'
export {
  compareDrill,
  drillKinds,
  drillOf,
  withDrill,
  type Drill,
  type DrillProblem,
  type DrillRow,
} from './drill/drill.ts'
export { historyOf, type Declared, type HistoryOptions } from './history/history-of.ts'
export {
  runsOf,
  type Happening,
  type History,
  type JobLife,
  type Lane,
  type Outcome,
  type Run,
  type RunCause,
  type Step,
  type Timing,
  type Warning,
} from './history/history.ts'
export { rulePage, type RulePage } from './history/rule-pages.ts'
export { renderHtml } from './html/index.ts'
export type { HtmlOptions, TitledHistory } from './html/page.ts'
export type { Expectation, Scenario } from './scenario/format.ts'
export { missesOf, type Miss } from './scenario/expect.ts'
export { playScenario, type ScenarioOptions, type ScenarioRun } from './scenario/play.ts'
export type { Files, ScenarioEngine, Stage, StageInput } from './scenario/stage.ts'
export { scenarioEngines } from './scenario/stages/index.ts'
export { sentenceOf } from './tell/sentence.ts'
export { whyNotOf, type WhyNot } from './tell/why-not.ts'
export { whyOf, type Why } from './tell/why.ts'
export type { Trace } from './trace/format.ts'
export { judgeTrace, type Verdict } from './trace/judge.ts'
export type { PlayTools } from './trace/player.ts'
export { tracePlayers } from './trace/players/index.ts'
export { Play } from './world/play.ts'
export type { Budget, PlayOptions, World, WorldEvent } from './world/world.ts'
