import { Option, type Command as Commander } from 'commander'
import { Fault } from '../../core/faults.ts'
import type { Timing } from '../../simulate/history/history.ts'
import { offsetOf } from '../../simulate/tell/spans.ts'
import { outputsOf, type Output } from '../output.ts'
import type { ColorChoice } from '../paint.ts'

/** What is played, and what is shown of it. */
export interface SimulateOptions {
  readonly outputs: readonly Output[]
  readonly color: ColorChoice
  readonly why: string | undefined
  readonly whyNot: string | undefined
  readonly timing: Timing
  /** Plays with the seeds from `timing.seed` on; 1: one history, more: a distribution. */
  readonly plays: number
  readonly drills: readonly string[]
  readonly maxRuns: number
}

/** For a repository alone. */
export interface SpanOptions {
  readonly forMs: number
  readonly start: number
  readonly git: string | undefined
  readonly durationMs: number
  readonly workloads: string | undefined
  readonly fails: readonly string[]
  readonly minor: number | undefined
}

export const OUTPUTS = ['text', 'json', 'html'] as const

export function defineSimulate(command: Commander): void {
  command
    .option('--for <span>', 'how long to go on: 7d, 36h', '7d')
    .option('--start <time>', 'wall clock of the beginning, RFC 3339 (default: today, 00:00 UTC)')
    .option('--git <base..head>', 'begin with BASE; the commits up to HEAD happen at their times')
    .option('--duration <span>', 'how long the work of each Job takes', '1m')
    .option('--fail <job>', 'a Job (namespace/name, * for any text) whose work fails', collect, [])
    .option('--workloads <file>', 'how the work behaves: a list as `workloads` of a scenario')
    .option('--kubernetes <version>', 'for example 1.33')
    .option('--drill <accident>', 'which Jobs run again after it: controller-down=2h', collect, [])
    .option('--why <job@time>', 'the cause chain of a run: shop/migrate@25h, migrate@last')
    .option('--why-not <job@time>', 'why nothing ran at that time')
    .option('--seed <n>', 'realistic timing, with chance drawn from this number')
    .option('--runs <m>', 'with --seed: play it so many times, and show how the answers differ')
    .option('--max-runs <n>', 'cut a Job that runs more often than that', '50000')
    .addOption(new Option('--trace', 'hold the model against recorded traces (job-trace/1)'))
    .addOption(new Option('--case', 'play scenarios (job-scenario/1) and judge what comes out'))
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

export function simulateOptions(
  given: Readonly<Record<string, unknown>>,
  color: ColorChoice,
): SimulateOptions {
  const formats = Object.fromEntries(OUTPUTS.map((name) => [name, true]))
  const seed = numberOf(given, 'seed', '--seed')
  const plays = numberOf(given, 'runs', '--runs') ?? 1
  if (plays > 1 && seed === undefined) {
    throw new Fault('USAGE', {
      what: '--runs needs --seed',
      why: 'without chance every play comes out the same',
      remedy: 'write for example --seed 1 --runs 100',
    })
  }
  return {
    outputs: outputsOf(given['output'] as readonly string[], formats),
    color,
    why: textOf(given['why']),
    whyNot: textOf(given['whyNot']),
    timing: seed === undefined ? { mode: 'idealised' } : { mode: 'realistic', seed },
    plays: Math.max(1, plays),
    drills: given['drill'] as readonly string[],
    maxRuns: numberOf(given, 'maxRuns', '--max-runs') ?? 50_000,
  }
}

export function spanOptions(given: Readonly<Record<string, unknown>>, today: string): SpanOptions {
  const start = Date.parse(textOf(given['start']) ?? `${today}T00:00:00Z`)
  if (Number.isNaN(start)) {
    throw new Fault('USAGE', {
      what: `--start ${String(given['start'])} is no time`,
      why: 'schedules of CronJobs count from it',
      remedy: 'write for example --start 2026-03-02T00:00:00Z',
    })
  }
  return {
    forMs: spanOf(given, 'for', '--for', LONGEST_MS),
    start,
    git: textOf(given['git']),
    durationMs: spanOf(given, 'duration', '--duration', LONGEST_MS),
    workloads: textOf(given['workloads']),
    fails: given['fail'] as readonly string[],
    minor: minorOf(textOf(given['kubernetes'])),
  }
}

const LONGEST_MS = 10 * 365 * 86_400_000

function spanOf(
  given: Readonly<Record<string, unknown>>,
  key: string,
  option: string,
  longest: number,
): number {
  const text = String(given[key])
  const ms = offsetOf(text)
  if (ms !== undefined && ms > 0 && ms <= longest) return ms
  throw new Fault('USAGE', {
    what: `${option} ${text} is no span between nothing and ten years`,
    why: 'a span is a number with a unit, or several of them',
    remedy: `write for example ${option} 36h, ${option} 1d12h or ${option} 90s`,
  })
}

function numberOf(
  given: Readonly<Record<string, unknown>>,
  key: string,
  option: string,
): number | undefined {
  const text = textOf(given[key])
  if (text === undefined) return undefined
  const number = Number(text)
  if (/^\d{1,9}$/.test(text) && (key === 'seed' || number > 0)) return number
  throw new Fault('USAGE', {
    what: `${option} ${text} is no whole number above zero`,
    why: 'it counts something',
    remedy: `write for example ${option} ${key === 'maxRuns' ? 1000 : 10}`,
  })
}

/** Minor versions of Kubernetes whose rules the model knows. */
const FIRST_MINOR = 29
const LAST_MINOR = 37

function minorOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const minor = Number(/^v?1\.(\d+)(?:\.\d+)?$/.exec(text)?.[1] ?? Number.NaN)
  if (minor >= FIRST_MINOR && minor <= LAST_MINOR) return minor
  throw new Fault('USAGE', {
    what: `--kubernetes ${text} is not known`,
    why: `the model knows the rules of 1.${FIRST_MINOR} to 1.${LAST_MINOR}`,
    remedy: 'write for example --kubernetes 1.33, or leave it out',
  })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
