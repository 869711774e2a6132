import type { Instant } from './time.ts'

/** Something that happens at an instant: plain data, so that a queue can be copied. */
export interface Timer {
  readonly at: Instant
  /** Ties go by order of planning. */
  readonly order: number
  /** The actor that wakes, or undefined for the cluster's own events. */
  readonly owner: string
  readonly wake: unknown
  readonly key?: string
}

/**
 * The priority queue of instants, a binary heap. A keyed timer that is replaced or cancelled stays
 * in the heap and is skipped when it comes up.
 */
export class Queue {
  readonly #heap: Timer[] = []
  /** By owner and key: the timer that counts. */
  readonly #keyed = new Map<string, Timer>()
  #planned = 0
  #cancelled = 0

  /** Becomes equal to `other`, which stays as it is. */
  takeAll(other: Queue): void {
    this.#heap.length = 0
    for (const timer of other.#heap) this.#heap.push(timer)
    this.#keyed.clear()
    for (const [slot, timer] of other.#keyed) this.#keyed.set(slot, timer)
    this.#planned = other.#planned
    this.#cancelled = other.#cancelled
  }

  /** How many timers wait. */
  get size(): number {
    return this.#heap.length - this.#cancelled
  }

  /** A keyed timer replaces a later one of its key; an earlier one stays. */
  plan(timer: Omit<Timer, 'order'>): void {
    if (timer.key !== undefined) {
      const slot = slotOf(timer.owner, timer.key)
      const planned = this.#keyed.get(slot)
      if (planned !== undefined) {
        if (planned.at <= timer.at) return
        this.#cancelled += 1
      }
      const next = this.#push(timer)
      this.#keyed.set(slot, next)
      return
    }
    this.#push(timer)
  }

  cancel(owner: string, key: string): void {
    if (this.#keyed.delete(slotOf(owner, key))) this.#cancelled += 1
  }

  /** Forgets all that `owner` planned: its process ended. */
  cancelAll(owner: string): void {
    const kept = this.#heap.filter((timer) => timer.owner !== owner && this.#counts(timer))
    this.#heap.length = 0
    this.#cancelled = 0
    for (const [slot, timer] of this.#keyed) {
      if (timer.owner === owner) this.#keyed.delete(slot)
    }
    for (const timer of kept) this.#sift(timer)
  }

  /** The next instant, without taking it. */
  next(): Instant | undefined {
    this.#dropCancelled()
    return this.#heap[0]?.at
  }

  take(): Timer | undefined {
    this.#dropCancelled()
    const first = this.#pop()
    if (first?.key !== undefined) this.#keyed.delete(slotOf(first.owner, first.key))
    return first
  }

  /** All that waits, in order, for printing. */
  list(): readonly Timer[] {
    return this.#heap.filter((timer) => this.#counts(timer)).sort(byTime)
  }

  #counts(timer: Timer): boolean {
    return timer.key === undefined || this.#keyed.get(slotOf(timer.owner, timer.key)) === timer
  }

  #dropCancelled(): void {
    for (;;) {
      const first = this.#heap[0]
      if (first === undefined || this.#counts(first)) return
      this.#pop()
      this.#cancelled -= 1
    }
  }

  #push(timer: Omit<Timer, 'order'>): Timer {
    const next = { ...timer, order: this.#planned }
    this.#planned += 1
    this.#sift(next)
    return next
  }

  #sift(timer: Timer): void {
    const heap = this.#heap
    let at = heap.push(timer) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = heap[parent]
      if (above === undefined || byTime(above, timer) <= 0) break
      heap[at] = above
      at = parent
    }
    heap[at] = timer
  }

  #pop(): Timer | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const leftTimer = heap[left]
      if (leftTimer === undefined) break
      const rightTimer = heap[left + 1]
      const isRight = rightTimer !== undefined && byTime(rightTimer, leftTimer) < 0
      const child = isRight ? rightTimer : leftTimer
      if (byTime(last, child) <= 0) break
      heap[at] = child
      at = isRight ? left + 1 : left
    }
    heap[at] = last
    return first
  }
}

function byTime(one: Timer, other: Timer): number {
  return one.at - other.at || one.order - other.order
}

function slotOf(owner: string, key: string): string {
  return `${owner} ${key}`
}
