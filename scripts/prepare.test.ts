import { expect, it } from 'vitest'
import { nodeProblem } from './prepare.mjs'

it.each(['20.19.0', '20.20.2', '22.0.0', '24.21.0', '26.1.0'])('Node %s will do', (version) => {
  expect(nodeProblem(version)).toBeUndefined()
})

it.each(['18.20.4', '20.18.3', '12.22.12'])('Node %s is too old, and is told so', (version) => {
  expect(nodeProblem(version)).toContain(`needs Node 20.19 or newer, this is Node ${version}`)
})
