import { commandOf } from './references.ts'
import type { Json } from '../core/json.ts'

/** What a container hands to a shell. */
export interface Script {
  readonly text: string
  /** The shell stops at the first command that fails. */
  readonly stopsAtFailure: boolean
}

/** The argument of `sh -c`, however it is split over command and args. */
export function scriptOf(container: Json | undefined): Script | undefined {
  const words = commandOf(container)
  const shell = words.findIndex((word) => SHELL.test(word))
  const flag = words.findIndex(
    (word, index) => index > shell && /^-[a-zA-Z]*c[a-zA-Z]*$/.test(word),
  )
  const text = words[flag + 1]
  if (shell < 0 || flag < 0 || text === undefined) return undefined
  const flags = words.slice(shell + 1, flag + 1).join(' ')
  const stopsAtFailure = /-[a-zA-Z]*e/.test(flags) || SET_E.test(text)
  return { text, stopsAtFailure }
}

const SHELL = /(?:^|\/)(?:ba|da|a|z|k)?sh$/
const SET_E = /^\s*set\s+(?:-[a-zA-Z]*e|-o\s+errexit)/m

export interface Command {
  readonly text: string
  /** What stands before it: `&&`, `||`, `;` (also a line end), or nothing at the start. */
  readonly before: '' | '&&' | '||' | ';'
}

/** The commands of a script in a row. Pipes stay inside a command, words of control are commands. */
export function commandsIn(script: string): readonly Command[] {
  const commands: Command[] = []
  let before: Command['before'] = ''
  let start = 0
  const end = (at: number, next: Command['before'], width: number): void => {
    const text = script.slice(start, at).trim()
    if (text !== '') commands.push({ text, before })
    if (text !== '' || next !== ';') before = commands.length === 0 ? '' : next
    start = at + width
  }
  for (let at = 0; at < script.length; at += 1) {
    const sign = script[at] ?? ''
    const two = script.slice(at, at + 2)
    if (sign === '\\') at += 1
    else if (sign === "'" || sign === '"') at = closing(script, at, sign)
    else if (sign === '#' && /\s|^$/.test(script[at - 1] ?? '')) {
      const line = script.indexOf('\n', at)
      end(at, ';', 0)
      at = (line < 0 ? script.length : line) - 1
      start = at + 1
    } else if (two === '&&' || two === '||') {
      end(at, two, 2)
      at += 1
    } else if (sign === ';' || sign === '\n') end(at, ';', 1)
  }
  end(script.length, ';', 0)
  return commands
}

function closing(script: string, from: number, quote: string): number {
  for (let at = from + 1; at < script.length; at += 1) {
    if (quote === '"' && script[at] === '\\') at += 1
    else if (script[at] === quote) return at
  }
  return script.length
}
