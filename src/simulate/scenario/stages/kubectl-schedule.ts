import { Fault } from '../../../core/faults.ts'
import { isObject, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { discoveryOf } from '../../../cluster/clients/discovery.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import { typeOf } from '../../../cluster/fields/index.ts'
import { bystanderKinds } from '../../engines/kinds.ts'
import {
  kubectlSchedule,
  type Box,
  type Folder,
  type Starts,
} from '../../engines/kubectl-schedule/index.ts'
import { pipelineStarts } from '../../engines/kubectl-schedule/pipeline.ts'
import { build } from '../../engines/kustomize-controller/build.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { editLive } from '../edit.ts'
import { spanSeconds } from '../span.ts'
import type { Files, ScenarioEngine, StageInput } from '../stage.ts'

const NAME = 'kubectl'

/**
 * One kubectl command over the files: at each commit, or by `every` or `schedule` whether there is
 * one or not. `kustomize` is `kubectl apply -k`.
 */
export const kubectlStage: ScenarioEngine = {
  kinds: ['kubectl-schedule', 'kubectl', 'kustomize'],
  stage(input) {
    const { settings } = input
    const command = commandOf(settings)
    const known = new Map<number, string>()
    const starts = startsOf(input, known)
    let folder: Folder = []
    let cluster: Cluster | undefined
    const discovery = discoveryOf(
      () => cluster?.api.kinds() ?? [],
      ({ type }) => (type === undefined ? undefined : typeOf(type)),
    )
    return {
      actors: [
        kubectlSchedule({
          command: command.line,
          namespace: stringAt(settings, ['namespace']) ?? 'default',
          objectsAt: () => folder,
          starts,
          discovery: () => discovery,
          name: NAME,
          skipsIdle: true,
          lingers: input.timing === 'idealised',
        }),
      ],
      kinds: bystanderKinds,
      prepare: (made) => {
        cluster = made
      },
      commit(on, revision, files) {
        cluster = on
        folder = folderOf(withFolder(files, command, input), command, settings)
        known.set(on.now, revision)
        renew(on)
      },
      sync: (on) => {
        known.set(on.now, '')
        renew(on)
      },
      change(on, event) {
        if (!('fault' in folder)) editLive(on, event, folder)
      },
    }
  },
}

/** `every` and `schedule` of a scenario, or each commit. */
export function startsOf(
  { settings, start }: Pick<StageInput, 'settings' | 'start'>,
  known: Map<number, string>,
): Starts {
  const [every, schedule, timeZone] = ['every', 'schedule', 'timeZone'].map((key) =>
    stringAt(settings, [key]),
  )
  const everySeconds = every === undefined ? undefined : (spanSeconds(every) ?? 0)
  const starts = pipelineStarts({ from: start, everySeconds, schedule, timeZone }, known)
  if (starts !== undefined && everySeconds !== 0) return starts
  const text = everySeconds === 0 ? `every: ${every ?? ''}` : `schedule: ${schedule ?? ''}`
  throw new Fault('SCENARIO_INVALID', {
    what: `${text} of the engine is no time to run at`,
    why: 'a pipeline that never runs would look like one that runs nothing',
    remedy: 'write every: 24h, or schedule: "0 2 * * *" with a timeZone such as Europe/Berlin',
  })
}

/** A kustomization that no event applies is in Git from the start, with what it names. */
function withFolder(files: Files, { kustomize }: Command, { files: all }: StageInput): Files {
  const isThere = Object.keys(files).some((path) => KUSTOMIZATION.test(path))
  if (kustomize === undefined || isThere) return files
  const own = Object.entries(all).filter(([path]) => !/^(?:commits\/|scenario\.yaml$)/.test(path))
  return { ...Object.fromEntries(own), ...files }
}

const KUSTOMIZATION = /(?:^|\/)(?:kustomization\.ya?ml|Kustomization)$/

/** The command looks at other files from now on; one that runs goes on with those it has. */
function renew(cluster: Cluster): void {
  const box = cluster.stateOf(NAME) as Box | undefined
  if (box === undefined || box.state.running !== undefined) return
  cluster.stop(NAME)
  cluster.start(NAME)
}

interface Command {
  readonly line: string
  /** The folder that is built. */
  readonly kustomize?: string
}

/** `kubectl apply -k overlays/prod` is a build and `kubectl apply -f -`. */
function commandOf(settings: JsonObject): Command {
  const isBuilt = settings['kind'] === 'kustomize'
  const given = stringAt(settings, ['command']) ?? 'kubectl apply'
  const folder = /\s-k\s+(\S+)/.exec(given)?.[1] ?? (isBuilt ? '.' : undefined)
  const verb = given.replaceAll(/\s-[fk]\s+\S+/g, '').trim()
  const path = stringAt(settings, ['path']) ?? folder
  return { line: `${verb} -f -`, ...(folder === undefined ? {} : { kustomize: path ?? '.' }) }
}

function folderOf(files: Files, { kustomize }: Command, settings: StageInput['settings']): Folder {
  if (kustomize === undefined) {
    return Object.keys(files)
      .toSorted()
      .filter((path) => /\.(?:ya?ml|json)$/.test(path))
      .flatMap((path) => objectsOf(path, files[path] ?? ''))
      .filter((object) => stringAt(object, ['apiVersion'])?.startsWith(KUSTOMIZE) !== true)
  }
  const spec = { path: `./${kustomize}` }
  const metadata = { name: 'kubectl', namespace: stringAt(settings, ['namespace']) ?? 'default' }
  const built = build({ files, object: { metadata, spec }, variables: undefined })
  if ('message' in built) return { fault: `error: ${built.message}` }
  return built.objects.map(withoutOwner)
}

const KUSTOMIZE = 'kustomize.config.k8s.io/'

/** Flux marks what it builds; kubectl does not. */
function withoutOwner(object: JsonObject): JsonObject {
  const { labels, ...metadata } = objectAt(object, ['metadata']) ?? {}
  const kept = Object.entries(isObject(labels) ? labels : {}).filter(
    ([key]) => !key.startsWith('kustomize.toolkit.fluxcd.io/'),
  )
  const own = kept.length === 0 ? metadata : { ...metadata, labels: Object.fromEntries(kept) }
  return { ...object, metadata: own }
}
