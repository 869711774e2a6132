import { expect, it } from 'vitest'
import { goEnvironment, goProblem } from './go.mjs'

it.each(['go1.26.0', 'go1.27.3', 'go2.0', 'devel go1.28-5c5a6a8'])(
  '%s will do as it is',
  (version) => {
    expect(goProblem(version)).toBeUndefined()
    expect(goEnvironment(version)).toEqual({})
  },
)

it.each(['go1.21.0', 'go1.25.5'])('%s is told to fetch a newer one', (version) => {
  expect(goProblem(version)).toBeUndefined()
  expect(goEnvironment(version)).toEqual({ GOTOOLCHAIN: 'go1.26.8' })
})

it.each(['go1.20.14', 'go1.19.8'])('%s is too old, and the reason is said', (version) => {
  expect(goProblem(version)).toBe(`${version} is too old: Go 1.26 is needed, 1.21 can fetch it`)
})

it('says that Go is not there', () => {
  expect(goProblem(undefined)).toBe('Go is not installed')
})
