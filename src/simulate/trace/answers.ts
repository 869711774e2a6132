import { stringAt, type Json } from '../../core/json.ts'
import type { Status } from '../../cluster/api/request.ts'
import type { Trace } from './format.ts'
import type { EventAnswer } from './player.ts'
import type { ScriptAnswer } from './players/script.ts'

/** The answer of the model beside the recorded one; undefined where none was recorded. */
export function compareAnswer(
  trace: Trace,
  event: number,
  got: ScriptAnswer,
): EventAnswer | undefined {
  const given = trace.events[event]
  if (given === undefined) return undefined
  const what = stringAt(given, ['how']) ?? `${given.do} ${stringAt(given, ['object']) ?? ''}`
  const recorded: string[] = []
  const model: string[] = []
  const compare = (
    name: string,
    one: Json | undefined,
    other: string | number | undefined,
  ): void => {
    if (typeof one !== 'string' && typeof one !== 'number') return
    recorded.push(`${name} ${plain(String(one))}`)
    model.push(`${name} ${plain(String(other ?? ''))}`)
  }
  if (got.kind === 'api') {
    compare('code', given['code'], got.answer.code)
    const { message } = got.answer.body as Status
    compare('error', given['error'], message)
  } else {
    compare('exit', given['exit'], got.run.exit)
    const isDiff = what.includes(' diff ')
    if (!isDiff) compare('stdout', given['stdout'], got.run.stdout)
    compare('stderr', given['stderr'], got.run.stderr)
  }
  return { event, t: given.t, what, recorded: recorded.join('; '), model: model.join('; ') }
}

/** What differs from run to run, and long values that the recorder cut, written alike. */
function plain(text: string): string {
  return cutValues(text)
    .replaceAll(/"?<temporary file>"?|"STDIN"/g, '<file>')
    .replaceAll(/-[a-z0-9]{5}\b(?= created| replaced)/g, '-*')
    .trim()
}

/** `Invalid value: {"a": ...}:` becomes `Invalid value: {...}:`, as recorders write it. */
export function cutValues(text: string): string {
  let rest = text
  let done = ''
  for (;;) {
    const start = /Invalid value: \{|error when applying patch:\s*\{/.exec(rest)
    if (start === null) return done + rest
    const open = start.index + start[0].length - 1
    const close = closeOf(rest, open)
    done += `${rest.slice(0, open)}{...}`
    rest = rest.slice(close + 1)
  }
}

/** Where the brace at `open` closes; strings may hold braces. */
function closeOf(text: string, open: number): number {
  let depth = 0
  let isText = false
  for (let at = open; at < text.length; at += 1) {
    const letter = text[at]
    if (isText) {
      if (letter === '\\') at += 1
      else if (letter === '"') isText = false
    } else if (letter === '"') isText = true
    else if (letter === '{') depth += 1
    else if (letter === '}') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return text.length - 1
}
