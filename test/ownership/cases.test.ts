import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { EngineId } from '../../src/engines/engine.ts'
import { readTree, repositoryOf } from './harness.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../fixtures/cases')
const cases = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** The engine that a case names, as far as the files of a case can say it. */
const ENGINES: Readonly<Record<string, EngineId>> = {
  'flux-kustomization': 'flux',
  'flux-helmrelease': 'helm-controller',
  'helm-or-helmrelease': 'helm-controller',
  'flux-operator': 'resourceset',
  'rancher-fleet': 'fleet',
  argocd: 'argocd',
  helm: 'helm',
  // The folder holds the chart only.
  'helm+argocd': 'helm',
  kro: 'kro',
}

/** An engine is named, but no object of it is in the folder. */
const WITHOUT_CARRIER = new Set([
  '018-argocd-cronjob-health-table',
  '021-helm-chart-label-in-template',
])

test.each(cases)('%s', (name) => {
  const files = readTree(path.join(FOLDER, name))
  const said = /^engine: (.+)$/m.exec(files['expected.md'] ?? '')?.[1] ?? ''
  // What `commits/` holds is what other files become later.
  const { subjects } = repositoryOf(
    Object.fromEntries(Object.entries(files).filter(([file]) => !file.startsWith('commits/'))),
  )
  const found = new Set(subjects.map(({ engine }) => engine.id))
  const wanted = variantOf(name, WITHOUT_CARRIER.has(name) ? undefined : ENGINES[said], files)
  if (wanted === undefined) {
    expect([...found].filter((id) => id !== 'unknown')).toEqual([])
    return
  }
  expect(found).toContain(wanted)
  // Files beside the carried ones belong to other variants of the case.
  expect([...found].filter((id) => id !== wanted && id !== 'unknown')).toEqual([])
})

test('the cases are here', () => {
  expect(cases.length).toBeGreaterThanOrEqual(48)
  expect(readFileSync(path.join(FOLDER, 'README.md'), 'utf8')).toContain('case')
})

/** Case 023 is told for Helm and holds a HelmRelease for its second half. */
function variantOf(
  name: string,
  engine: EngineId | undefined,
  files: Readonly<Record<string, string>>,
): EngineId | undefined {
  const isReleased = Object.keys(files).includes('helmrelease.yaml')
  return name.startsWith('023-') && engine === 'helm' && isReleased ? 'helm-controller' : engine
}
