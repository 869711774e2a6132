import type { Instant } from '../../../cluster/time.ts'
import type { Release } from '../helm/contract.ts'
import { renderingDigests } from './decide.ts'
import { releaseDigest, snapshotOfRelease } from './digest.ts'
import type { Event } from './choose.ts'
import { previousIn, recorded, type Snapshot } from './history.ts'
import type { Acting, Run } from './state.ts'
import { marked, summarized, withoutFailures, type NewCondition, type Status } from './status.ts'

/** What is known once a Helm action has ended. */
export interface Ended {
  readonly run: Run
  readonly acting: Acting
  readonly error: string | undefined
  /** The stored revisions now. */
  readonly stored: readonly Release[]
  readonly now: Instant
}

export interface Outcome {
  readonly status: Status
  readonly event: Event
  /** Nothing was stored, so there is nothing to remedy: the error goes to the rate limiter. */
  readonly isError: boolean
}

/** The status after an action, in the controller's words. */
export function outcomeOf(ended: Ended): Outcome {
  const { action, type } = ended.acting
  if (action === 'test') return tested(ended)
  if (type === 'remediate') return remediated(ended)
  return action === 'uninstall' ? uninstalled(ended) : released(ended)
}

function released({ run, acting, error, stored, now }: Ended): Outcome {
  const name = acting.action === 'install' ? 'install' : 'upgrade'
  const { chart, settings } = run
  const written = writtenBy(acting, stored, chart?.digest ?? '')
  const base = { ...run.status, history: recorded(run.status.history, written) }
  const marking = markingOf(run, now)
  const word = name === 'install' ? 'Install' : 'Upgrade'
  if (error !== undefined) {
    const place = `${settings.releaseNamespace}/${settings.releaseName}`
    const of = `${place} with chart ${chart?.name ?? ''}@${chart?.version ?? ''}`
    const message = `Helm ${name} failed for release ${of}: ${error.trim()}`
    const reason = `${word}Failed`
    const counted = { ...base, failures: base.failures + 1, ...count(name, base, written.length) }
    const status = marked(counted, { type: 'Released', status: 'False', reason, message }, marking)
    return {
      status: summed(status, run, now),
      event: { type: 'Warning', reason, message },
      isError: written.length === 0,
    }
  }
  const reason = `${word}Succeeded`
  const message = `Helm ${name} succeeded for release ${nameOf(base.history[0])}`
  let status = marked(base, { type: 'Released', status: 'True', reason, message }, marking)
  if (settings.test.isEnabled && base.history[0]?.testHooks === undefined) {
    const text = `Helm release ${nameOf(base.history[0])} is awaiting tests`
    const waits: NewCondition = {
      type: 'TestSuccess',
      status: 'Unknown',
      reason: 'AwaitingTests',
      message: text,
    }
    status = marked(status, waits, marking)
  }
  if (settings[name].retryMs !== undefined) status = withoutFailures(status)
  return {
    status: summed(status, run, now),
    event: { type: 'Normal', reason, message },
    isError: false,
  }
}

function count(name: 'install' | 'upgrade', status: Status, stored: number): Partial<Status> {
  if (stored === 0) return {}
  return name === 'install'
    ? { installFailures: status.installFailures + 1 }
    : { upgradeFailures: status.upgradeFailures + 1 }
}

function remediated({ run, acting, error, stored, now }: Ended): Outcome {
  const { status: before, settings } = run
  const isRollback = acting.action === 'rollback'
  const target = isRollback
    ? previousIn(before.history, settings.upgrade.ignoresTests)
    : before.history[0]
  const written = writtenBy(acting, stored, target?.ociDigest ?? '')
  const history = isRollback
    ? recorded(before.history, written)
    : afterUninstall(before.history, stored, written)
  const base = { ...before, history }
  const what = isRollback ? 'rollback to previous' : 'uninstall remediation for'
  const words = `Helm ${what} release ${nameOf(target)}`
  const word = isRollback ? 'Rollback' : 'Uninstall'
  const marking = markingOf(run, now)
  const message = error === undefined ? `${words} succeeded` : `${words} failed: ${error.trim()}`
  const reason = error === undefined ? `${word}Succeeded` : `${word}Failed`
  const condition: NewCondition = {
    type: 'Remediated',
    status: error === undefined ? 'True' : 'False',
    reason,
    message,
  }
  const counted = error === undefined ? base : { ...base, failures: base.failures + 1 }
  const status = marked(counted, condition, marking)
  return {
    // An uninstall leaves Ready as the failure wrote it (trace 019).
    status: isRollback ? summed(status, run, now) : status,
    event: { type: error === undefined ? 'Normal' : 'Warning', reason, message },
    isError: error !== undefined && written.length === 0,
  }
}

function uninstalled({ run, acting, error, stored, now }: Ended): Outcome {
  const written = writtenBy(acting, stored, '')
  const { status: before } = run
  const name = nameOf(before.history[0])
  const base = { ...before, history: afterUninstall(before.history, stored, written) }
  const reason = error === undefined ? 'UninstallSucceeded' : 'UninstallFailed'
  const message =
    error === undefined
      ? `Helm uninstall succeeded for release ${name}`
      : `Helm uninstall failed for release ${name}: ${error.trim()}`
  const status = marked(
    base,
    { type: 'Released', status: 'False', reason, message },
    markingOf(run, now),
  )
  return {
    status: summed(status, run, now),
    event: { type: error === undefined ? 'Normal' : 'Warning', reason, message },
    isError: error !== undefined,
  }
}

/** A test counts as a failure of the install or upgrade whose release it tested (trace 032). */
function tested({ run, error, stored, now }: Ended): Outcome {
  const { status: before, settings } = run
  const [current, ...older] = before.history
  const release = stored.find(({ version }) => version === current?.version)
  const hooks = (release?.hooks ?? []).filter(({ events }) => events.includes('test'))
  const phases = hooks.flatMap((hook): (readonly [string, string])[] => {
    const { name } = (hook.object['metadata'] ?? {}) as { readonly name?: string }
    return hook.phase === undefined && error !== undefined ? [] : [[name ?? '', hook.phase ?? '']]
  })
  const history =
    current === undefined || release === undefined
      ? before.history
      : [
          {
            ...snapshotOfRelease(release, current.ociDigest),
            testHooks: Object.fromEntries(phases),
          },
          ...older,
        ]
  const base = { ...before, history }
  const marking = markingOf(run, now)
  if (error === undefined) {
    const count = hooks.length
    const done =
      count === 0
        ? 'no test hooks'
        : `${count} test ${count > 1 ? 'hooks' : 'hook'} completed successfully`
    const message = `Helm test succeeded for release ${nameOf(current)}: ${done}`
    const reason = 'TestSucceeded'
    const status = marked(base, { type: 'TestSuccess', status: 'True', reason, message }, marking)
    return {
      status: summed(status, run, now),
      event: { type: 'Normal', reason, message },
      isError: false,
    }
  }
  const reason = 'TestFailed'
  const message = `Helm test failed for release ${nameOf(current)}: ${error.trim()}`
  const last = base.lastAttemptedReleaseAction
  const counts = last !== '' && !settings[last].ignoresTests
  const counted = { ...base, failures: base.failures + 1, ...(counts ? count(last, base, 1) : {}) }
  const status = marked(counted, { type: 'TestSuccess', status: 'False', reason, message }, marking)
  return {
    status: summed(status, run, now),
    event: { type: 'Warning', reason, message },
    isError: false,
  }
}

/** Revisions that the action wrote, newest first. */
function writtenBy(
  { before }: Acting,
  stored: readonly Release[],
  ociDigest: string,
): readonly Snapshot[] {
  return stored
    .filter((release) => before[String(release.version)] !== releaseDigest(release))
    .map((release) => snapshotOfRelease(release, ociDigest))
    .sort((one, other) => other.version - one.version)
}

/** A release that is gone from the storage was last seen while it was being uninstalled. */
function afterUninstall(
  history: readonly Snapshot[],
  stored: readonly Release[],
  written: readonly Snapshot[],
): readonly Snapshot[] {
  if (stored.length > 0) return recorded(history, written)
  return history.map((one, at) => (at === 0 ? { ...one, status: 'uninstalling' } : one))
}

export function summed(status: Status, run: Run, now: Instant): Status {
  const next = summarized(status, run.settings.test, markingOf(run, now))
  return { ...next, ...renderingDigests(run.object) }
}

export function markingOf(run: Run, now: Instant): { generation: number; now: Instant } {
  return { generation: run.object.metadata.generation ?? 1, now }
}

/** `shop/app.v3 with chart demo@1.0.0` */
export function nameOf(snapshot: Snapshot | undefined): string {
  if (snapshot === undefined) return ''
  const { namespace, name, version, chartName, chartVersion } = snapshot
  return `${namespace}/${name}.v${version} with chart ${chartName}@${chartVersion}`
}
