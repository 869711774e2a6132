import { describe, expect, it } from 'vitest'
import type { History } from '../../simulate/history/history.ts'
import { at, commits, daily, happening, history, lane, life } from '../../simulate/tell/testing.ts'
import { paintFor } from '../paint.ts'
import { widthOf } from '../words.ts'
import { historyText } from './history-text.ts'
import { wantsAscii } from './timeline.ts'

const pipe = { write: () => undefined, isTerminal: false, columns: undefined }
const paint = paintFor(pipe, 'never', {})

function text(played: History, width = 100, ascii = false): string {
  return historyText(played, { paint, width, ascii })
}

describe('a history on a terminal', () => {
  it('has a sentence, a table and a timeline', () => {
    process.stdout.write(text(daily()))
    process.stdout.write(text(daily(), 60, true))
    process.stdout.write(text(daily(), 140, false))
  })
})
