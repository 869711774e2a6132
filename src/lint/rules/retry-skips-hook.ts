import type { Hook } from '../../engines/engine.ts'
import type { Subject } from '../../ownership/subject.ts'
import { annotationPath, engineTitle, hookWords, label, related } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * The hook fails, and what the engine tries next is another action, to which the hook does not
 * belong: the new version goes out without the work of the hook, and all reads well.
 * Silent when the retry runs the hook again, when there is no retry, and for a hook that belongs
 * to both actions.
 */
export const retrySkipsHook: Rule = {
  id: 'retry-skips-hook',
  severity: 'warning',
  summary: 'After a failure of the hook the retry deploys the new version without running it.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { hook, applies } = subject.traits
  if (hook?.retrySkips === undefined || !applies) return []
  return [
    {
      at: annotationPath(hook.annotation),
      what: `one failure of ${label(subject)}, and the new version goes out without it`,
      why:
        `it is a ${hookWords(hook)}; after a failed upgrade ${engineTitle(subject)} uninstalls the ` +
        `release, and the retry is ${hook.retrySkips}, which runs no upgrade hook and ends as Ready`,
      remedy:
        'use the remediation strategy rollback (the default); or give the hook the install event ' +
        `as well: ${withInstall(hook)}`,
      related: related(subject, ['upgrade.remediation.strategy', 'upgrade.remediation.retries']),
    },
  ]
}

function withInstall({ phases }: Hook): string {
  const upgrades = phases.filter((phase) => phase.endsWith('-upgrade'))
  return [...upgrades.map((phase) => phase.replace('-upgrade', '-install')), ...phases].join(',')
}
