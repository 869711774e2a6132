import { describe, expect, it } from 'vitest'
import type { ScenarioEvent } from './format.ts'
import { Repository } from './git.ts'
import { commitOfNote } from './notes.ts'

const WEB = [
  'kind: Deployment',
  'metadata:',
  '  name: web',
  'spec:',
  '  replicas: 2',
  '  template:',
  '    spec:',
  '      containers:',
  '        - {name: web, image: "registry.example.test/web:7"}',
  '',
].join('\n')
const OTHER = 'kind: ConfigMap\nmetadata: {name: flags}\ndata:\n  round: "0"\n  replicas: "9"\n'
const FILES = {
  'deploy/web.yaml': `${OTHER}---\n${WEB}`,
  'deploy/hook.yaml': 'kind: Job\nmetadata: {name: migrate}\n',
}

function repository(): Repository {
  const made = new Repository(FILES)
  made.apply({ commit: 'c0', apply: ['deploy'] })
  return made
}

function after(note: string, nth = 0, more: Partial<ScenarioEvent> = { commit: 'c1' }): string {
  const made = repository()
  const told = commitOfNote({ note, ...more }, made, nth)
  if (typeof told === 'object') return told.fault
  if (told === undefined) return 'no commit'
  return made.files['deploy/web.yaml'] ?? 'no file'
}

const unchanged = FILES['deploy/web.yaml']

describe('commitOfNote', () => {
  it.each([
    ['web: replicas 2 -> 3', 'replicas: 2', 'replicas: 3'],
    ['replicas of web 2 -> 3', 'replicas: 2', 'replicas: 3'],
    ['Deployment web: spec.replicas from 2 to 3', 'replicas: 2', 'replicas: 3'],
    ['web scaled to 3', 'replicas: 2', 'replicas: 3'],
    ['only spec.replicas of web changes (3, 4, 5, ...)', 'replicas: 2', 'replicas: 3'],
    ['web image 7 -> 8', 'web:7', 'web:8'],
    ['only the image of web changes: 7 -> 8', 'web:7', 'web:8'],
    ['bump web image to 8', 'web:7', 'web:8'],
    ['flags round=1', 'round: "0"', 'round: "1"'],
    ['ConfigMap flags: round 0 -> 1', 'round: "0"', 'round: "1"'],
    ['flags extra=1', 'data:\n', 'data:\n  extra: "1"\n'],
    ['hook.yaml deleted; web image 7 -> 8', 'web:7', 'web:8'],
  ])('%s', (note, before, then) => {
    expect(after(note)).toBe(unchanged.replace(before, then))
  })

  it('counts up with the repetitions of an event', () => {
    expect(after('commit n: only spec.replicas of web changes (3, 4, ...)', 4, {})).toBe(
      unchanged.replace('replicas: 2', 'replicas: 7'),
    )
  })

  it.each(['README only', 'an unrelated change in another folder', 'empty commit', ''])(
    'is a commit that changes nothing here: %s',
    (note) => {
      expect(after(note)).toBe(unchanged)
    },
  )

  it('goes back to an earlier commit', () => {
    const made = repository()
    commitOfNote({ commit: 'c1', note: 'web image 7 -> 8' }, made, 0)
    commitOfNote({ commit: 'c2', note: 'web image 8 -> 9' }, made, 0)
    commitOfNote({ commit: 'c3', note: 'revert c2' }, made, 0)
    expect(made.files['deploy/web.yaml']).toContain('web:8')
    commitOfNote({ commit: 'c4', note: 'back to c0' }, made, 0)
    expect(made.files['deploy/web.yaml']).toBe(unchanged)
  })

  it.each(['something strange', 'web image 6 -> 7', 'nobody: replicas 8 -> 9'])(
    'does not pass over a commit that nobody understands: %s',
    (note) => {
      expect(after(note)).toMatch(/^nobody can tell what changes by/)
    },
  )

  it('takes a sentence without a commit for a remark', () => {
    expect(after('the team goes on holiday', 0, {})).toBe('no commit')
  })
})
