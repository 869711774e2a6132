import type { Io } from './io.ts'

/** Says on a terminal how far a long run is; silent in pipes and for the first half second. */
export class Progress {
  private readonly io: Io
  private readonly startedAt: number
  private isShown = false
  private nextAt: number

  constructor(io: Io) {
    this.io = io
    this.startedAt = io.now()
    this.nextAt = this.startedAt + DELAY_MS
  }

  tick(done: number, total: number): void {
    if (!this.io.stderr.isTerminal || (done & 31) !== 0) return
    this.say(`reading ${done} of ${total} files`)
  }

  say(text: string): void {
    if (!this.io.stderr.isTerminal) return
    const now = this.io.now()
    if (now < this.nextAt) return
    this.nextAt = now + STEP_MS
    this.isShown = true
    this.io.stderr.write(`\r\u001b[K${text}`)
  }

  end(): void {
    if (this.isShown) this.io.stderr.write('\r\u001b[K')
    this.isShown = false
  }
}

const DELAY_MS = 500
const STEP_MS = 100
