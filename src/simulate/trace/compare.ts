import type { ObservedCondition, ObservedJob, ObservedPod } from './format.ts'

/** Where model and recording part. `rule` is of the last cause in the model before it. */
export interface Difference {
  /** `Job one J2, pod 3, ended`. */
  readonly where: string
  readonly recorded: string
  readonly model: string
  /** Seconds since the start at which it shows, for looking up causes. */
  readonly t?: number
}

export interface Judging {
  readonly toleranceSeconds: number
  /** When the recording ended: what the model does later was not watched. */
  readonly endSeconds: number
}

/**
 * The first differences between recorded Jobs and those of the model, in the order of time; none
 * when they agree. Jobs, pods and conditions must be the same and in the same order. A time agrees
 * when it is within the tolerance, or when the step to it is, from the instant before it on the same
 * Job or on any other: a recorder that began a second late is a second late all along, and a chain
 * of ten delays may differ by the sum of ten.
 */
export function compareJobs(
  recorded: readonly ObservedJob[],
  model: readonly ObservedJob[],
  judging: Judging,
): readonly Difference[] {
  const found: Difference[] = []
  const left = new Set(model)
  const compared: JobPairs[] = []
  for (const job of recorded) {
    const twin = nearestJob(job, left)
    if (twin === undefined) {
      found.push({
        where: labelOf(job),
        recorded: `created at ${seconds(job.created)}`,
        model: 'never created',
        t: job.created,
      })
      continue
    }
    left.delete(twin)
    compared.push(compareJob(job, twin, judging, found))
  }
  const drifts = driftsOf(compared)
  for (const { label, pairs } of compared) {
    for (const { what, recorded: one, model: other } of wrongTimes(pairs, drifts, judging)) {
      const t = Math.min(one ?? Infinity, other ?? Infinity)
      found.push({ where: `${label}, ${what}`, recorded: happened(one), model: happened(other), t })
    }
  }
  for (const job of left) {
    if (job.created > judging.endSeconds - judging.toleranceSeconds) continue
    const at = `created at ${seconds(job.created)}`
    found.push({ where: labelOf(job), recorded: 'never created', model: at, t: job.created })
  }
  return found.sort((one, other) => (one.t ?? 0) - (other.t ?? 0))
}

/** When the model did what the recording has at an instant; null: not (yet). */
export interface Instants {
  /** `created`, `Complete=True CompletionsReached`, `pod 2, ended`. */
  readonly what: string
  readonly recorded: number
  readonly model: number | null
}

/** Every instant of the recording beside the model's, as far as the model has come. */
export function instantsOf(
  recorded: readonly ObservedJob[],
  model: readonly ObservedJob[],
): readonly Instants[] {
  const left = new Set(model)
  const judging = { toleranceSeconds: 0, endSeconds: Infinity }
  return recorded.flatMap((job) => {
    const twin = nearestJob(job, left)
    if (twin === undefined) return [{ what: 'created', recorded: job.created, model: null }]
    left.delete(twin)
    return compareJob(job, twin, judging, []).pairs.flatMap((pair) =>
      pair.recorded === null ? [] : [{ ...pair, recorded: pair.recorded }],
    )
  })
}

/** The same name, or one generated from the same prefix; of several, in their order. */
function nearestJob(job: ObservedJob, left: Iterable<ObservedJob>): ObservedJob | undefined {
  for (const other of left) {
    if (other.namespace === job.namespace && isSameName(job.name, other)) return other
  }
  return undefined
}

function isSameName(name: string, { name: other, generateName }: ObservedJob): boolean {
  if (generateName === undefined || generateName === '') return name === other
  return name.startsWith(generateName) && name.length === other.length
}

/** An instant of the recording and of the model; null: it did not happen. */
interface Pair {
  readonly what: string
  readonly recorded: number | null
  readonly model: number | null
}

interface JobPairs {
  readonly label: string
  readonly pairs: readonly Pair[]
}

function compareJob(
  job: ObservedJob,
  twin: ObservedJob,
  judging: Judging,
  found: Difference[],
): JobPairs {
  const label = labelOf(job)
  const differ = (what: string, recorded: string, model: string, t?: number): void => {
    found.push({ where: `${label}, ${what}`, recorded, model, ...(t === undefined ? {} : { t }) })
  }
  for (const key of ['image', 'owner', 'managedBy'] as const) {
    const one = (key === 'image' ? recordedImage(job, twin) : job[key]) ?? null
    const other = twin[key] ?? null
    if (one !== other && key in job) differ(key, String(one), String(other), job.created)
  }
  const pairs: Pair[] = [
    { what: 'created', recorded: job.created, model: twin.created },
    {
      what: 'deletion requested',
      recorded: job.deletionRequested,
      model: requestedIn(twin, job),
    },
    { what: 'gone', recorded: job.deleted, model: twin.deleted },
  ]
  compareFinalizers(job, twin, differ)
  pairConditions(job.conditions, twin.conditions, judging, pairs, differ)
  pairPods(job.pods, twin.pods, judging, pairs, differ)
  return { label, pairs }
}

/** Of an object that goes at once, some recorders saw the removal and no request before it. */
function requestedIn(twin: ObservedJob, recorded: ObservedJob): number | null {
  const isUnseen = recorded.deletionRequested === null && recorded.deleted !== null
  return isUnseen && twin.deletionRequested === twin.deleted ? null : twin.deletionRequested
}

/** Some recorders kept only the first letter of a Job's image: then its pods know it. */
function recordedImage({ image, pods }: ObservedJob, twin: ObservedJob): string | null | undefined {
  if (image?.length !== 1) return image
  const ofPods = pods.find((pod) => typeof pod.image === 'string')?.image
  if (ofPods !== undefined) return ofPods
  return twin.image?.startsWith(image) === true ? twin.image : image
}

type Differ = (what: string, recorded: string, model: string, t?: number) => void

function compareFinalizers(job: ObservedJob, twin: ObservedJob, differ: Differ): void {
  if (job.deletionRequested === null || twin.deletionRequested === null) return
  if (job.deletionFinalizers === undefined || job.deletionFinalizers === null) return
  const recorded = [...job.deletionFinalizers].sort().join(', ')
  const model = [...(twin.deletionFinalizers ?? [])].sort().join(', ')
  if (recorded === model) return
  differ('finalizers at its deletion', recorded || 'none', model || 'none', job.deletionRequested)
}

function pairConditions(
  recorded: readonly ObservedCondition[],
  model: readonly ObservedCondition[],
  judging: Judging,
  pairs: Pair[],
  differ: Differ,
): void {
  const count = Math.max(recorded.length, model.length)
  for (let at = 0; at < count; at += 1) {
    const one = recorded[at]
    const other = model[at]
    if (one === undefined && other !== undefined && isUnwatched(other.t, judging)) return
    if (one === undefined || other === undefined || wordsOf(one) !== wordsOf(other)) {
      const t = Math.min(one?.t ?? Infinity, other?.t ?? Infinity)
      differ(`condition ${at + 1}`, one ? wordsOf(one) : 'none', other ? wordsOf(other) : 'none', t)
      return
    }
    pairs.push({ what: wordsOf(one), recorded: one.t, model: other.t })
  }
}

function wordsOf({ type, status, reason }: ObservedCondition): string {
  return `${type}=${status} ${reason ?? ''}`.trim()
}

function pairPods(
  recorded: readonly ObservedPod[],
  model: readonly ObservedPod[],
  judging: Judging,
  pairs: Pair[],
  differ: Differ,
): void {
  const left = [...model]
  recorded.forEach((pod, at) => {
    const twin = takeTwin(pod, left)
    const label = `pod ${at + 1}`
    if (twin === undefined) {
      differ(label, `created at ${seconds(pod.created)}`, 'never created', pod.created)
      return
    }
    const isOpen = pod.ended === null && isUnwatched(twin.ended, judging)
    // It went without an end of its own, and its going was written down as its end.
    const isGone = pod.exit === null && pod.ended !== null && pod.ended === pod.deleted
    if ((pod.exit ?? null) !== (twin.exit ?? null) && !isOpen && !isGone) {
      const t = pod.ended ?? twin.ended ?? pod.created
      differ(`${label}, exit code`, String(pod.exit), String(twin.exit), t)
    }
    if ((pod.restarts ?? 0) !== (twin.restarts ?? 0)) {
      const t = pod.ended ?? pod.created
      differ(`${label}, restarts`, String(pod.restarts ?? 0), String(twin.restarts ?? 0), t)
    }
    pairs.push(
      { what: `${label}, created`, recorded: pod.created, model: twin.created },
      { what: `${label}, started`, recorded: pod.started, model: twin.started },
      {
        what: `${label}, ended`,
        recorded: pod.ended,
        model: isGone ? (twin.ended ?? twin.deleted) : twin.ended,
      },
      {
        what: `${label}, deletion requested`,
        recorded: pod.deletionRequested ?? null,
        model: pod.deletionRequested === undefined ? null : (twin.deletionRequested ?? null),
      },
      { what: `${label}, gone`, recorded: pod.deleted, model: twin.deleted },
    )
  })
  for (const pod of left) {
    if (isUnwatched(pod.created, judging)) continue
    differ('another pod', 'none', `created at ${seconds(pod.created)}`, pod.created)
  }
}

/** Pods that were made together have no order: the same index, then the nearest times and end. */
function takeTwin(pod: ObservedPod, left: ObservedPod[]): ObservedPod | undefined {
  const earliest = Math.min(...left.map(({ created }) => created))
  let best: ObservedPod | undefined
  let bestDistance = Infinity
  for (const other of left) {
    if ((pod.index ?? null) !== (other.index ?? null)) continue
    const isLater = other.created > earliest + 0.5 && pod.index === undefined
    const distance =
      (isLater ? 1e6 : 0) +
      (pod.exit === other.exit ? 0 : 1000) +
      apart(pod.ended, other.ended) +
      apart(pod.created, other.created)
    if (distance >= bestDistance) continue
    best = other
    bestDistance = distance
  }
  if (best !== undefined) left.splice(left.indexOf(best), 1)
  return best
}

function apart(one: number | null, other: number | null): number {
  if (one === null && other === null) return 0
  if (one === null || other === null) return 500
  return Math.abs(one - other)
}

/** By how much the model was off at each instant of the recording, in order. */
type Drifts = readonly { readonly t: number; readonly off: number }[]

function driftsOf(compared: readonly JobPairs[]): Drifts {
  const drifts: { t: number; off: number }[] = []
  for (const { pairs } of compared) {
    for (const { recorded, model } of pairs) {
      if (recorded !== null && model !== null) drifts.push({ t: recorded, off: model - recorded })
    }
  }
  return drifts.sort((one, other) => one.t - other.t)
}

function wrongTimes(pairs: readonly Pair[], drifts: Drifts, judging: Judging): readonly Pair[] {
  const wrong: Pair[] = []
  const isNear = (off: number): boolean => Math.abs(off) <= judging.toleranceSeconds + ROUNDING
  const inOrder = [...pairs].sort(
    (one, other) =>
      (one.recorded ?? one.model ?? Infinity) - (other.recorded ?? other.model ?? Infinity),
  )
  let drift = 0
  for (const pair of inOrder) {
    const { recorded, model } = pair
    if (recorded === null || model === null) {
      const isSame = recorded === null && (model === null || isUnwatched(model, judging))
      if (!isSame) wrong.push(pair)
      continue
    }
    const off = model - recorded
    const elsewhere = drifts.findLast(({ t }) => t < recorded)?.off ?? 0
    if (!isNear(off) && !isNear(off - drift) && !isNear(off - elsewhere)) wrong.push(pair)
    drift = off
  }
  return wrong
}

/** Recorded times have two decimals. */
const ROUNDING = 0.011

function isUnwatched(t: number | null, { endSeconds, toleranceSeconds }: Judging): boolean {
  return t !== null && t > endSeconds - toleranceSeconds
}

function happened(t: number | null): string {
  return t === null ? 'never' : `at ${seconds(t)}`
}

function seconds(t: number): string {
  return `${Math.round(t * 100) / 100} s`
}

function labelOf({ name, uid }: ObservedJob): string {
  return `Job ${name} ${uid}`
}
