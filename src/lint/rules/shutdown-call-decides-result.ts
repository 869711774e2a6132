import { integerAt, stringAt } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { inJobSpec, label } from '../helpers.ts'
import { containersOf } from '../pods.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import { commandsIn, scriptOf, type Command, type Script } from '../scripts.ts'
import { SHUTDOWN } from '../sidecars.ts'

/**
 * The call that ends a sidecar stands so that the container's exit code is that of the call, not
 * that of the work: finished work counts as failed and is repeated, or failed work counts as done.
 * Or it is made only after success, so that a failed pod never ends and no retry starts.
 * Silent where the exit code of the work is kept and the call is made in every case, for a trap,
 * for a script that only makes the call, and for scripts in images and files.
 */
export const shutdownCallDecidesResult: Rule = {
  id: 'shutdown-call-decides-result',
  severity: 'warning',
  summary: 'The call that stops a sidecar decides whether the work counts as done.',
  kinds: ['Job', 'CronJob'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  if (!subject.traits.applies) return []
  return containersOf(subject).flatMap(({ path, container }) => {
    const script = scriptOf(container)
    const trouble = script === undefined ? undefined : troubleIn(script)
    if (trouble === undefined) return []
    const name = stringAt(container, ['name']) ?? '(no name)'
    const field = stringAt(container, ['args', 0]) === undefined ? 'command' : 'args'
    return [
      {
        at: [...path, field],
        what: `${TROUBLES[trouble].what} in container ${name} of ${label(subject)}`,
        why: `${TROUBLES[trouble].why}${trouble === 'repeats' ? times(subject) : ''}`,
        remedy:
          'keep the exit code of the work and make the call in every case: ' +
          '`work; rc=$?; call || true; exit $rc`; with a native sidecar no call is needed',
      },
    ]
  })
}

type Trouble = 'repeats' | 'swallows' | 'stays'

const TROUBLES: Readonly<Record<Trouble, { readonly what: string; readonly why: string }>> = {
  repeats: {
    what: 'the exit code depends on the shutdown call',
    why:
      'where nothing answers the call (no proxy in this namespace), finished work counts as ' +
      'failed, and where the work fails the call is not made, so the proxy and the pod stay and ' +
      'no retry starts',
  },
  swallows: {
    what: 'the exit code of the work is lost behind the shutdown call',
    why: 'the last command decides: work that failed counts as done, and nobody tries again',
  },
  stays: {
    what: 'the shutdown call is made only after success',
    why:
      'where the work fails the call is not made: the proxy stays, the pod never ends, and the ' +
      'retry never starts',
  },
}

function troubleIn(script: Script): Trouble | undefined {
  if (!SHUTDOWN.test(script.text) || /\btrap\b/.test(script.text)) return undefined
  const commands = commandsIn(script.text)
  const index = commands.findIndex(({ text }) => isCall(text))
  const call = commands[index]
  if (call === undefined) return undefined
  const before = commands.slice(0, index)
  const after = commands.slice(index + 1)
  if (!before.some(isWork) || call.before === '||') return undefined
  const isIgnored = after[0]?.before === '||'
  const keeps = after.some(({ text }) => /^exit\s+"?\$\{?[A-Za-z_]/.test(text))
  if (call.before === '&&') {
    if (keeps) return 'stays'
    return isIgnored ? 'swallows' : 'repeats'
  }
  if (script.stopsAtFailure && !savesFailure(before)) return isIgnored ? 'stays' : 'repeats'
  return keeps ? undefined : 'swallows'
}

/** A request or the helper of a mesh; not a wait for the proxy, nor a text that names the call. */
function isCall(text: string): boolean {
  return (
    SHUTDOWN.test(text) && /^(?:\(|\{)?\s*(?:\/[\w/.-]+\/)?(?:curl|wget|pilot-agent)\b/.test(text)
  )
}

function isWork({ text }: Command): boolean {
  return !/^(?:set\b|export\b|until\b|while\b|do\b|done\b|sleep\b|echo\b|cd\b|if\b|then\b|fi\b|\w+=)/.test(
    text,
  )
}

/** With `set -e` a saved exit code shows that the failure was caught. */
function savesFailure(before: readonly Command[]): boolean {
  return before.some((command) => /\$\?/.test(command.text))
}

function times(subject: Subject): string {
  const limit = integerAt(subject.object, inJobSpec(subject, 'backoffLimit')) ?? 6
  return `; each failed pod is replaced: the work is done up to ${limit + 1} times`
}
