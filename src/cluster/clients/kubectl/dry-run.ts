import type { KubectlCommand } from './command.ts'

export type DryRun = 'none' | 'client' | 'server'

export function dryRunOf({ flags }: KubectlCommand): DryRun {
  const given = flags['dry-run']
  return given === 'client' || given === 'server' ? given : 'none'
}

/** What kubectl prints behind the verb. */
export function dryRunWords(dryRun: DryRun): string {
  if (dryRun === 'client') return ' (dry run)'
  return dryRun === 'server' ? ' (server dry run)' : ''
}
