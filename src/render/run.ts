import { isList, isObject, type Json, type JsonObject } from '../core/json.ts'
import { has, type JobScope } from './scope.ts'

/** What runs: one container, or tasks one after the other. */
export type Run =
  | { readonly mode: 'single'; readonly words: Words }
  | { readonly mode: 'tasks'; readonly tasks: readonly Task[] }

export interface Words {
  readonly command?: readonly Json[]
  readonly args?: readonly Json[]
}

export interface Task {
  readonly name: string
  readonly words: Words
}

/** The container that closes tasks. */
export const CLOSING = 'job-completed'

export function runOf(scope: JobScope): Run {
  const tasks = tasksOf(scope)
  if (tasks === undefined) {
    const words = wordsOf({ command: scope.pick('command'), args: scope.pick('args') })
    if (words.command === undefined && words.args === undefined) sayEntryPoint(scope, 'the image')
    return { mode: 'single', words }
  }
  const names = Object.keys(tasks).filter((name) => isObject(tasks[name]))
  names.sort()
  sayUnevenPrefixes(scope, names)
  const made = names.map((name): Task => {
    const task = tasks[name]
    const words = wordsOf(isObject(task) ? task : {})
    if (words.command === undefined && words.args === undefined) {
      sayEntryPoint(scope, `task '${name}'`)
    }
    return { name, words }
  })
  if (names.includes(CLOSING)) {
    scope.say('JG115', {
      text: `the task '${CLOSING}' has the name of the container that closes tasks`,
      remedy: 'rename the task',
      at: [...scope.whereIs('tasks', CLOSING)],
    })
  }
  return { mode: 'tasks', tasks: made }
}

/** Undefined in single mode. Null on the job takes the group's tasks away. */
function tasksOf({ job, group }: JobScope): JsonObject | undefined {
  if (has(job, 'tasks')) return objectOf(job['tasks'])
  if (has(job, 'command') || has(job, 'args') || job['tasks'] === null) return undefined
  return has(group, 'tasks') ? objectOf(group['tasks']) : undefined
}

function objectOf(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

function wordsOf({ command, args }: JsonObject): Words {
  const words = commandOf(command)
  return {
    ...(words === undefined || words.length === 0 ? {} : { command: words }),
    ...(isList(args) && args.length > 0 ? { args } : {}),
  }
}

function commandOf(command: Json | undefined): readonly Json[] | undefined {
  if (typeof command === 'string') return ['sh', '-c', command.trim()]
  return isList(command) ? command : undefined
}

function sayEntryPoint(scope: JobScope, who: string): void {
  scope.say('JG205', {
    text: `${who} has neither command nor args, so the entry point of the image runs`,
    remedy: 'set command or args, or leave it if that is meant',
  })
}

function sayUnevenPrefixes(scope: JobScope, names: readonly string[]): void {
  const prefixes = names.flatMap((name) => /^\d+/.exec(name)?.[0] ?? [])
  if (new Set(prefixes.map((prefix) => prefix.length)).size < 2) return
  scope.say('JG204', {
    text: `tasks run in the order ${names.join(', ')}: their numbers are compared as text`,
    remedy: 'give all numbers the same width: 02, 10',
    at: scope.whereIs('tasks'),
  })
}

/** On one level only one of the two may stand; undefined when all is well. */
export function bothModes(level: JsonObject): { text: string; remedy: string } | undefined {
  const others = ['command', 'args'].filter((key) => has(level, key))
  if (!has(level, 'tasks') || others.length === 0) return undefined
  return {
    text: `tasks and ${others.join(' and ')} stand together`,
    remedy: 'remove one or the other here: each task has a command and args of its own',
  }
}
