import type { CommandEntry } from './command.ts'

/** Every command, in the order in which a newcomer needs them. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'check',
    summary: 'Show every Job, what applies it, and the worst that can happen to it.',
    load: async () => (await import('./check.ts')).check,
  },
  {
    name: 'lint',
    summary: 'Judge the Jobs of a repository by all rules; for pull requests.',
    load: async () => (await import('./lint.ts')).lint,
  },
  {
    name: 'explain',
    summary: 'Tell what a rule finds, why, and what to do.',
    load: async () => (await import('./explain.ts')).explain,
  },
  {
    name: 'rules',
    summary: 'List the rules with their levels and fixes.',
    load: async () => (await import('./rules.ts')).rules,
  },
  {
    name: 'init',
    summary: 'Write a first semel.yaml from what the repository holds.',
    load: async () => (await import('./init.ts')).init,
  },
  {
    name: 'render',
    summary: 'Make Jobs and CronJobs of values, with names that follow what they do.',
    load: async () => (await import('./render.ts')).render,
  },
  {
    name: 'stamp',
    summary: 'Give Jobs names that follow their content, in a stream or in files.',
    load: async () => (await import('./stamp.ts')).stamp,
  },
  {
    name: 'hash',
    summary: 'Print the fingerprint of a Job, and what each of its fields did to it.',
    load: async () => (await import('./hash.ts')).hash,
  },
  {
    name: 'simulate',
    summary: 'Say when each Job will run, how often, and why; play accidents and scenarios.',
    load: async () => (await import('./simulate.ts')).simulate,
  },
  {
    name: 'completion',
    summary: 'Print what makes bash, zsh or fish complete semel commands.',
    load: async () => (await import('./completion.ts')).completion,
  },
]
