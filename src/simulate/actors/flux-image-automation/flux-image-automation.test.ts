import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import type { Registry } from '../registry.ts'
import { pushes, ZERO } from '../testing.ts'
import { FluxScene } from '../testing-engines.ts'
import { fluxImageAutomation } from './index.ts'
import { chosenBy } from './policy.ts'
import { withSetters } from './setters.ts'

const REPO = 'registry.example.test/shop/work'
const HOUR = 3600

function own(kind: string, spec: JsonObject): JsonObject {
  const apiVersion = 'image.toolkit.fluxcd.io/v1'
  return { apiVersion, kind, metadata: { name: 'work', namespace: 'shop' }, spec }
}

interface Settings {
  readonly policy?: JsonObject
  readonly automation?: JsonObject
  readonly kustomization?: JsonObject
}

function jobText(image: string): string {
  return [
    'apiVersion: batch/v1',
    'kind: Job',
    'metadata: {name: work, namespace: shop}',
    'spec:',
    '  template:',
    '    metadata: {annotations: {play/duration: "1000"}}',
    '    spec:',
    '      restartPolicy: Never',
    '      containers:',
    '        - name: main',
    `          image: ${image} # {"$imagepolicy": "shop:work"}`,
    '',
  ].join('\n')
}

function scene(registry: Registry, settings: Settings = {}): FluxScene {
  const git = { commit: { author: { email: 'bot@example.test' } }, ...settings.automation }
  const objects = [
    own('ImageRepository', { image: REPO, interval: '5m' }),
    own('ImagePolicy', {
      imageRepositoryRef: { name: 'work' },
      policy: { semver: { range: '>=1.0.0' } },
      ...settings.policy,
    }),
    own('ImageUpdateAutomation', {
      interval: '30m',
      sourceRef: { kind: 'GitRepository', name: 'shop' },
      git,
    }),
  ]
  const second = [[fluxImageAutomation, { kind: 'flux-image-automation', objects }]] as const
  const files = { 'job.yaml': jobText(`${REPO}:1.0.0`) }
  return new FluxScene(files, { second, registry }, settings.kustomization)
}

const NEW = pushes([0, `${REPO}:1.0.0`], [HOUR + 1, `${REPO}:1.1.0`])

describe('Flux image automation', () => {
  it('commits a new tag with the scan that finds it, before its own interval (IA-1, IA-2, IA-5)', () => {
    const stage = scene(NEW)
    stage.until(3 * HOUR)
    expect(stage.commits).toHaveLength(1)
    expect(stage.files['job.yaml']).toBe(jobText(`${REPO}:1.1.0`))
    const commit = stage.causes.find(({ rule }) => rule === 'IA-4')
    expect(((commit?.at ?? 0) - ZERO) / 1000).toBe(HOUR + 300)
    expect(stage.told('image-automation-controller')).toEqual([
      'IA-5 set images in Git: ImageUpdateAutomation shop/work',
      `IA-4 committed ${REPO}:1.1.0: ImageUpdateAutomation shop/work`,
    ])
    const round = stage.causes.find(({ rule }) => rule === 'IA-5')
    expect(round?.trigger).toEqual({
      kind: 'dependency',
      words: `ImagePolicy shop/work chose ${REPO}:1.1.0`,
    })
  })

  it('so a plain Job is refused from then on, and runs no more (F-8)', () => {
    const stage = scene(NEW)
    stage.until(3 * HOUR)
    expect(stage.runs('work')).toEqual([0])
    expect(stage.message).toContain('field is immutable')
  })

  it('and with force the Job is replaced and runs for each tag (F-11)', () => {
    const registry = pushes(
      [0, `${REPO}:1.0.0`],
      [HOUR + 1, `${REPO}:1.1.0`],
      [2 * HOUR + 1, `${REPO}:1.2.0`],
    )
    const stage = scene(registry, { kustomization: { force: true } })
    stage.until(24 * HOUR)
    expect(stage.runs('work')).toHaveLength(3)
    expect(stage.commits).toHaveLength(2)
  })

  it("undoes a person's way back to the old tag at its next interval (IA-7)", () => {
    const stage = scene(NEW, { kustomization: { force: true } })
    stage.until(2 * HOUR)
    stage.commit({ 'job.yaml': jobText(`${REPO}:1.0.0`) })
    stage.until(4 * HOUR)
    expect(stage.commits).toHaveLength(2)
    expect(stage.files['job.yaml']).toContain('1.1.0')
    // 1.0.0, 1.1.0, by hand 1.0.0 once more, 1.1.0 once more.
    expect(stage.runs('work')).toHaveLength(4)
  })

  it('into another branch changes nothing that is applied, and says so once (IA-6)', () => {
    const stage = scene(NEW, { automation: { push: { branch: 'images' } } })
    stage.until(12 * HOUR)
    expect(stage.commits).toEqual([])
    const told = stage.told('image-automation-controller').filter((line) => line.startsWith('IA-6'))
    expect(told).toHaveLength(1)
  })

  it.each<[string, number]>([
    ['Never', 0],
    ['IfNotPresent', 1],
    ['Always', 2],
  ])('digestReflectionPolicy %s: a tag that moves (IA-3)', (digestReflectionPolicy, commits) => {
    const [one, two] = [`sha256:${'1'.repeat(64)}`, `sha256:${'2'.repeat(64)}`]
    const registry = pushes([0, `${REPO}:1.0.0`, one], [HOUR, `${REPO}:1.0.0`, two])
    const stage = scene(registry, { policy: { digestReflectionPolicy, interval: '10m' } })
    stage.until(4 * HOUR)
    expect(stage.commits).toHaveLength(commits)
  })

  it('plans nothing while no tag comes and nobody commits', () => {
    const stage = scene(NEW)
    stage.until(3 * HOUR)
    const owners = stage.cluster.planned().map(({ owner }) => owner)
    expect(owners.filter((owner) => owner.startsWith('image-'))).toEqual([])
  })

  it('is found by its objects, and brings them along', () => {
    const object = own('ImagePolicy', {})
    expect(fluxImageAutomation.foundIn([object])).toEqual([
      { kind: 'flux-image-automation', objects: [object] },
    ])
    expect(fluxImageAutomation.foundIn([{ apiVersion: 'v1', kind: 'ConfigMap' }])).toEqual([])
  })
})

describe('what an ImagePolicy chooses (IA-2)', () => {
  const chosen = (spec: JsonObject, ...names: string[]): string | undefined =>
    chosenBy(
      { spec },
      names.map((name) => ({ name, digest: '', pushedAt: 0 })),
    )?.name

  it.each<[string, JsonObject, string[], string | undefined]>([
    [
      'by version',
      { policy: { semver: { range: '1.x' } } },
      ['1.9.0', '1.10.0', '2.0.0'],
      '1.10.0',
    ],
    ['by text', { policy: { alphabetical: {} } }, ['b', 'a'], 'b'],
    ['by text downwards', { policy: { alphabetical: { order: 'desc' } } }, ['b', 'a'], 'a'],
    ['by number', { policy: { numerical: { order: 'asc' } } }, ['9', '10'], '10'],
    ['by number, one is none', { policy: { numerical: {} } }, ['9', 'x'], undefined],
    [
      'by a part of the tag',
      {
        policy: { numerical: { order: 'asc' } },
        filterTags: { pattern: '^main-[a-f0-9]+-(?P<ts>[0-9]+)$', extract: '$ts' },
      },
      ['main-aa-10', 'main-ff-9', 'dev-aa-11'],
      'main-aa-10',
    ],
    ['none of the range', { policy: { semver: { range: '3.x' } } }, ['1.0.0'], undefined],
  ])('%s', (_, spec, names, wanted) => {
    expect(chosen(spec, ...names)).toBe(wanted)
  })
})

describe('setters (IA-4)', () => {
  const images = new Map([['shop:work', { repository: 'r/work', tag: '2', digest: 'sha256:ab' }]])
  it.each([
    [
      'image: r/work:1 # {"$imagepolicy": "shop:work"}',
      'image: r/work:2@sha256:ab # {"$imagepolicy": "shop:work"}',
    ],
    [
      '  tag: "1" # {"$imagepolicy": "shop:work:tag"}',
      '  tag: "2" # {"$imagepolicy": "shop:work:tag"}',
    ],
    [
      '- name: \'x\' # {"$imagepolicy": "shop:work:name"}',
      '- name: \'r/work\' # {"$imagepolicy": "shop:work:name"}',
    ],
    [
      'digest: x # {"$imagepolicy": "shop:work:digest"}',
      'digest: sha256:ab # {"$imagepolicy": "shop:work:digest"}',
    ],
    [
      'image: r/work:1 # {"$imagepolicy": "shop:other"}',
      'image: r/work:1 # {"$imagepolicy": "shop:other"}',
    ],
    ['image: r/work:1 # no mark', 'image: r/work:1 # no mark'],
  ])('%s', (line, wanted) => {
    expect(withSetters({ 'a.yaml': line }, './', images)['a.yaml']).toBe(wanted)
  })

  it('leaves files outside its path and files of other kinds alone', () => {
    const text = 'image: r/work:1 # {"$imagepolicy": "shop:work"}'
    const files = { 'a/one.yaml': text, 'b/two.yaml': text, 'a/notes.md': text }
    const next = withSetters(files, './a', images)
    expect(Object.keys(next).filter((name) => next[name] !== text)).toEqual(['a/one.yaml'])
    expect(withSetters(files, './c', images)).toBe(files)
  })
})
