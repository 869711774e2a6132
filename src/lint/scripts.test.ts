import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandsIn, scriptOf } from './scripts.ts'

const shape = (script: string) => commandsIn(script).map(({ before, text }) => [before, text])

describe('commandsIn', () => {
  it.each<[string, readonly (readonly [string, string])[]]>([
    [
      'a && b || c; d',
      [
        ['', 'a'],
        ['&&', 'b'],
        ['||', 'c'],
        [';', 'd'],
      ],
    ],
    [
      'a\n\n  b\n',
      [
        ['', 'a'],
        [';', 'b'],
      ],
    ],
    [
      'a &&\n  b',
      [
        ['', 'a'],
        ['&&', 'b'],
      ],
    ],
    [
      'echo "x && y; z" && b',
      [
        ['', 'echo "x && y; z"'],
        ['&&', 'b'],
      ],
    ],
    [
      "echo 'it''s; fine'; b",
      [
        ['', "echo 'it''s; fine'"],
        [';', 'b'],
      ],
    ],
    [
      'a # no && b\nc',
      [
        ['', 'a'],
        [';', 'c'],
      ],
    ],
    [
      'a \\\n  --flag; b',
      [
        ['', 'a \\\n  --flag'],
        [';', 'b'],
      ],
    ],
    [
      'a | b > /dev/null 2>&1; c',
      [
        ['', 'a | b > /dev/null 2>&1'],
        [';', 'c'],
      ],
    ],
    ['', []],
  ])('splits %j', (script, commands) => {
    expect(shape(script)).toEqual(commands)
  })

  it('ends for every text, and loses no command word', () => {
    fc.assert(
      fc.property(fc.string(), (script) => {
        const whole = commandsIn(script)
          .map(({ text }) => text)
          .join(' ')
        expect(whole.length).toBeLessThanOrEqual(script.length + 1)
      }),
    )
  })
})

describe('scriptOf', () => {
  it.each([
    [{ command: ['sh', '-c', 'work'] }, 'work', false],
    [{ command: ['/bin/bash', '-ec'], args: ['work'] }, 'work', true],
    [{ command: ['bash', '-e', '-c', 'work'] }, 'work', true],
    [{ command: ['sh', '-c', 'set -eu\nwork'] }, 'set -eu\nwork', true],
    [{ command: ['/busybox/sh'], args: ['-c', 'work'] }, 'work', false],
  ])('reads %j', (container, text, stopsAtFailure) => {
    expect(scriptOf(container)).toEqual({ text, stopsAtFailure })
  })

  it.each([[{ command: ['api', '-c', 'file'] }], [{ command: ['sh', '/s/run.sh'] }], [{}]])(
    'finds none in %j',
    (container) => {
      expect(scriptOf(container)).toBeUndefined()
    },
  )
})
