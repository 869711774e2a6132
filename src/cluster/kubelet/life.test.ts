import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Container, Pod } from '../pod.ts'
import { advance, begin, nextChange, stop, type Life } from './life.ts'
import type { ContainerPlan, PodPlan } from './script.ts'

interface Shape {
  readonly restartPolicy?: string
  readonly init?: readonly Container[]
  readonly main?: readonly string[]
}

function pod({ restartPolicy = 'Never', init = [], main = ['main'] }: Shape = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
    spec: {
      restartPolicy,
      ...(init.length > 0 ? { initContainers: init } : {}),
      containers: main.map((name) => ({ name, image: `${name}:1` })),
    },
  }
}

const once = (durationMs: number, exitCode = 0): ContainerPlan => ({
  runs: [{ durationMs, exitCode }],
})
const plan = (
  containers: { readonly [name: string]: ContainerPlan },
  more: PodPlan = {},
): PodPlan => ({
  ...more,
  containers,
})

/** Everything that changes, as `at what`. */
function history(life: Life, until: number): readonly string[] {
  const lines: string[] = []
  let current = life
  for (;;) {
    const at = nextChange(current)
    if (at === undefined || at > until) break
    current = advance(current, at)
    const states = current.pieces.map(
      ({ name, state, restarts }) => `${name}:${state.is}${restarts}`,
    )
    lines.push(`${at} ${states.join(' ')} ${current.outcome ?? ''}`.trim())
  }
  return lines
}

describe('the life of a pod', () => {
  it('of one container is one change: its end', () => {
    const life = begin(pod(), plan({ main: once(500) }), 0)
    expect(life.runningSince).toBe(0)
    expect(history(life, 1e9)).toEqual(['500 main:ended0 Succeeded'])
  })

  it('fails with any container that fails, once all have ended', () => {
    const shape = pod({ main: ['one', 'two'] })
    const life = begin(shape, plan({ one: once(500, 1), two: once(900) }), 0)
    expect(history(life, 1e9)).toEqual([
      '500 one:ended0 two:running0',
      '900 one:ended0 two:ended0 Failed',
    ])
  })

  it('never ends by itself when a sidecar does not', () => {
    const life = begin(pod({ main: ['work', 'proxy'] }), plan({ work: once(500) }), 0)
    expect(history(life, 1e12)).toEqual(['500 work:ended0 proxy:running0'])
  })

  it('ends when a sidecar ends after the work, with the worse of both results', () => {
    const proxy: ContainerPlan = {
      runs: [{ endsAfter: { container: 'work' }, durationMs: 20, exitCode: 3 }],
    }
    const life = begin(pod({ main: ['work', 'proxy'] }), plan({ work: once(500), proxy }), 0)
    expect(history(life, 1e9).at(-1)).toBe('520 work:ended0 proxy:ended0 Failed')
  })

  it('goes on when the sidecar waits for a success that does not come', () => {
    const proxy: ContainerPlan = { runs: [{ endsAfter: { container: 'work', exitCode: 0 } }] }
    const life = begin(pod({ main: ['work', 'proxy'] }), plan({ work: once(500, 1), proxy }), 0)
    expect(advance(life, 1e12).outcome).toBeUndefined()
  })

  it('ends a native sidecar with the work', () => {
    const init = [{ name: 'proxy', restartPolicy: 'Always' }]
    const life = begin(pod({ init }), plan({ main: once(500), proxy: { runs: [{}] } }), 0)
    expect(history(life, 1e9)).toEqual(['500 proxy:ended0 main:ended0 Succeeded'])
  })

  it('runs init containers one after the other before the work', () => {
    const init = [{ name: 'one' }, { name: 'two' }]
    const life = begin(pod({ init }), plan({ one: once(100), two: once(200), main: once(500) }), 0)
    expect(life.runningSince).toBeUndefined()
    expect(history(life, 1e9)).toEqual([
      '100 one:ended0 two:running0 main:waiting0',
      '300 one:ended0 two:ended0 main:running0',
      '800 one:ended0 two:ended0 main:ended0 Succeeded',
    ])
  })

  it('fails with a failed init container, and the work never starts', () => {
    const life = begin(
      pod({ init: [{ name: 'one' }] }),
      plan({ one: once(100, 2), main: once(1) }),
      0,
    )
    expect(history(life, 1e9)).toEqual(['100 one:ended0 main:waiting0 Failed'])
  })

  it('waits for ever behind an init container that never ends: a sidecar of old', () => {
    const init = [{ name: 'proxy' }]
    const life = begin(pod({ init }), plan({ proxy: { runs: [{}] }, main: once(1) }), 0)
    expect(nextChange(life)).toBeUndefined()
    expect(life.runningSince).toBeUndefined()
  })

  it('waits so for a native sidecar where nobody knows them: before 1.29', () => {
    const init = [{ name: 'proxy', restartPolicy: 'Always' }]
    const life = begin(pod({ init }), plan({ main: once(1) }), 0, { hasNativeSidecars: false })
    expect(nextChange(life)).toBeUndefined()
    expect(life.pieces.map(({ state }) => state.is)).toEqual(['running', 'waiting'])
  })

  it('starts again at once the first time, then after 10, 20 ... 300 s', () => {
    const life = begin(pod({ restartPolicy: 'OnFailure' }), plan({ main: once(1000, 1) }), 0)
    const starts = history(life, 1_200_000).filter((line) => line.includes('running'))
    expect(starts.map((line) => Number(line.split(' ')[0]))).toEqual(
      [1000, 12_000, 33_000, 74_000, 155_000, 316_000, 617_000, 918_000].filter(
        (at) => at <= 1_200_000,
      ),
    )
  })

  it('goes through the runs of its plan, the last one again and again', () => {
    const main: ContainerPlan = {
      runs: [{ durationMs: 10, exitCode: 1 }, { durationMs: 10, exitCode: 1 }, { durationMs: 10 }],
    }
    const life = begin(pod({ restartPolicy: 'OnFailure' }), plan({ main }, { restart: 5 }), 0)
    expect(history(life, 1e9).at(-1)).toBe('40 main:ended2 Succeeded')
  })

  it('stops with the given code what still runs, and keeps what had ended', () => {
    const life = begin(
      pod({ main: ['one', 'two'] }),
      plan({ one: once(10), two: { runs: [{}] } }),
      0,
    )
    const stopped = stop(advance(life, 20), 30, 143)
    expect(stopped.outcome).toBe('Failed')
    expect(
      stopped.pieces.map(({ state }) => (state.is === 'ended' ? [state.at, state.exitCode] : [])),
    ).toEqual([
      [10, 0],
      [30, 143],
    ])
  })

  it('is the same whether time is walked or skipped', () => {
    const duration = fc.integer({ min: 0, max: 50_000 })
    const container = fc.record({ durationMs: duration, exitCode: fc.constantFrom(0, 1) })
    const cases = fc.record({
      policy: fc.constantFrom('Never', 'OnFailure', 'Always'),
      main: fc.array(fc.array(container, { minLength: 1, maxLength: 3 }), {
        minLength: 1,
        maxLength: 3,
      }),
      init: fc.array(container, { maxLength: 2 }),
      steps: fc.array(fc.integer({ min: 1, max: 60_000 }), { maxLength: 12 }),
    })
    fc.assert(
      fc.property(cases, ({ policy, main, init, steps }) => {
        const names = main.map((_, at) => `m${at}`)
        const shape = pod({
          restartPolicy: policy,
          main: names,
          init: init.map((_, at) => ({ name: `i${at}` })),
        })
        const containers = Object.fromEntries([
          ...main.map((runs, at) => [`m${at}`, { runs }]),
          ...init.map((run, at) => [`i${at}`, { runs: [run] }]),
        ])
        const life = begin(shape, { containers }, 0)
        let walked = life
        let now = 0
        for (const step of steps) {
          now += step
          walked = advance(walked, now)
        }
        expect(walked).toEqual(advance(life, now))
      }),
    )
  })
})
