import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CowMap } from '../api/cow-map.ts'
import { pullImage } from './images.ts'
import type { Piece } from './piece.ts'
import { hostOf, registry, type RegistryChange } from './registry.ts'

const piece = (image: string): Piece => ({
  name: 'main',
  image,
  role: 'main',
  plan: { runs: [] },
  now: {},
  restarts: 0,
  state: { is: 'waiting', reason: 'PodInitializing' },
  delayMs: 0,
})

describe('a registry', () => {
  it.each([
    ['registry.example.test/team/app:1', 'registry.example.test'],
    ['localhost/app', 'localhost'],
    ['localhost:5000/app', 'localhost:5000'],
    ['team/app', 'docker.io'],
    ['busybox:1.36', 'docker.io'],
  ])('%s is at %s', (image, host) => {
    expect(hostOf(image)).toBe(host)
  })

  it('knows an image without a tag as `latest`', () => {
    const images = registry([{ do: 'push', at: 0, image: 'team/app', digest: 'sha256:one' }])
    expect(images.find('team/app:latest', 1)).toEqual({ digest: 'sha256:one' })
    expect(images.find('team/app:1', 1)).toEqual({})
  })

  it('has what nobody names, and has an image again that is pushed after its removal', () => {
    const images = registry([
      { do: 'remove', at: 10, image: 'a:1' },
      { do: 'push', at: 20, image: 'a:1', digest: 'sha256:two' },
    ])
    expect(images.find('b:1', 15)).toEqual({})
    expect(images.find('a:1', 5)).toEqual({})
    expect(images.find('a:1', 10)).toEqual({ fault: 'missing' })
    expect(images.foundFrom('a:1', 10)).toBe(20)
    expect(images.find('a:1', 20)).toEqual({ digest: 'sha256:two' })
  })

  it('is asked at the first of the tries 10, 20, 40 ... 300 s apart that finds the image', () => {
    const second = fc.integer({ min: 0, max: 5000 })
    const outage = fc
      .tuple(second, fc.integer({ min: 1, max: 3000 }))
      .map(([at, long]): RegistryChange => ({
        do: 'outage',
        at: at * 1000,
        until: (at + long) * 1000,
      }))
    fc.assert(
      fc.property(fc.array(outage, { minLength: 1, maxLength: 5 }), second, (outages, start) => {
        const images = registry(outages)
        const failedAt = start * 1000
        const pulled = pullImage(piece('a:1'), failedAt, { images: new CowMap(), registry: images })
        if (images.find('a:1', failedAt).fault === undefined) {
          expect(pulled).toEqual({})
          return
        }
        let attempt = failedAt
        let pause = 10_000
        do {
          attempt += pause
          pause = Math.min(pause * 2, 300_000)
        } while (images.find('a:1', attempt).fault !== undefined)
        expect(pulled).toMatchObject({ reason: 'ImagePullBackOff', until: attempt })
      }),
      { seed: 20261130 },
    )
  })
})
