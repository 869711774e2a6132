import { describe, expect, it } from 'vitest'
import { commandMentions, simpleWords, type CommandPlace, type Word } from './command.ts'

const NAMES = new Set(['Job/db-migrate', 'Job/db-seed', 'CronJob/nightly'])
const isName = (kind: string, name: string): boolean => NAMES.has(`${kind}/${name}`)

function named(words: readonly string[], place: CommandPlace = 'arguments'): readonly string[] {
  const list = words.map((text, item): Word => ({ text, start: 0, item }))
  return commandMentions(list, isName, place).map(
    ({ item, start, end, kind }) => `${kind} ${words[item]?.slice(start, end)}`,
  )
}

describe('a command names a Job', () => {
  it.each([
    ['by kind and name', 'kubectl wait --for=condition=complete job/db-migrate', ['db-migrate']],
    ['with the group', 'kubectl wait jobs.batch/db-migrate', ['db-migrate']],
    ['with group and version', 'kubectl get job.v1.batch/db-migrate', ['db-migrate']],
    ['in a list', 'kubectl delete job db-migrate other db-seed', ['db-migrate', 'db-seed']],
    [
      'behind flags with values',
      'kubectl wait job --for condition=complete -n shop db-migrate',
      ['db-migrate'],
    ],
    ['for another tool', 'oc logs job/db-migrate', ['db-migrate']],
    ['by a path to the tool', '/usr/bin/kubectl logs -f job/db-migrate', ['db-migrate']],
    [
      'without the tool, which the image brings',
      'wait --timeout=60s job/db-migrate',
      ['db-migrate'],
    ],
    ['for k8s-wait-for', 'job db-migrate', ['db-migrate']],
    ['for k8s-wait-for with failures allowed', 'job-we db-migrate', ['db-migrate']],
    ['for a script of that name', 'wait_for.sh job db-migrate', ['db-migrate']],
    ['by the label of its pods', 'logs -l job-name=db-migrate', ['db-migrate']],
    [
      'by the label in a longer selector',
      'x --selector=a=b,batch.kubernetes.io/job-name=db-migrate',
      ['db-migrate'],
    ],
    ['once for each word', 'kubectl wait job/db-migrate job/db-seed', ['db-migrate', 'db-seed']],
  ])('%s', (_, line, names) => {
    expect(named(line.split(' '))).toEqual(names.map((name) => `Job ${name}`))
  })

  it('or a CronJob', () => {
    const words = 'kubectl create job by-hand --from=cronjob/nightly'.split(' ')
    expect(named(words)).toEqual(['CronJob nightly'])
    expect(named(['kubectl', 'get', 'cj', 'nightly'])).toEqual(['CronJob nightly'])
  })

  it('and its namespace', () => {
    const words = 'kubectl wait job/db-migrate -n shop'.split(' ')
    const list = words.map((text, item): Word => ({ text, start: 0, item }))
    expect(commandMentions(list, isName, 'text')[0]?.namespace).toBe('shop')
  })
})

describe('nothing is named', () => {
  it.each([
    ['by the path of a program', 'python job/db-migrate'],
    ['by a name that nobody has', 'kubectl wait job/other'],
    ['by the same name of another kind', 'kubectl wait pod/db-migrate deployment/db-migrate'],
    ['by the name that a new Job is given', 'kubectl create job db-migrate --image=x'],
    ['by the value of a flag', 'kubectl logs job -c db-migrate'],
    ['by what follows two dashes', 'kubectl exec web -- job db-migrate'],
    ['by a longer path', 'kubectl apply -f jobs/db-migrate/job.yaml'],
    ['by a flag of another program', 'run --job-name=db-migrate'],
  ])('%s', (_, line) => {
    expect(named(line.split(' '))).toEqual([])
  })

  it('in a line of prose', () => {
    expect(named(['job', 'db-migrate', 'is', 'done'], 'text')).toEqual([])
    expect(named(['wait', 'job', 'db-migrate'], 'text')).toEqual([])
  })
})

describe('a line is one simple command', () => {
  it('when a shell would change nothing in it', () => {
    const words = simpleWords(`kubectl wait --for="condition=complete" 'job/db-migrate'\n`, 0)
    expect(words?.map(({ text }) => text)).toEqual([
      'kubectl',
      'wait',
      '--for="condition=complete"',
      'job/db-migrate',
    ])
  })

  it.each([
    'a && b',
    'a; b',
    'a | b',
    'a\nb',
    'a $X',
    'a `b`',
    'a > b',
    'a "b c"',
    "a 'b",
    'a # b',
  ])('not %j', (line) => {
    expect(simpleWords(line, 0)).toBeUndefined()
  })
})
