import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Queue } from './queue.ts'

const owner = 'somebody'

describe('the queue of instants', () => {
  it('hands out timers in the order of their instants, ties in the order of planning', () => {
    const queue = new Queue()
    queue.plan({ at: 5, owner, wake: 'late' })
    queue.plan({ at: 1, owner, wake: 'first' })
    queue.plan({ at: 1, owner, wake: 'second' })
    expect(all(queue)).toEqual(['first', 'second', 'late'])
  })

  it('keeps the earliest timer of a key', () => {
    const queue = new Queue()
    queue.plan({ at: 5, owner, wake: 'five', key: 'k' })
    queue.plan({ at: 9, owner, wake: 'nine', key: 'k' })
    queue.plan({ at: 3, owner, wake: 'three', key: 'k' })
    expect(queue.size).toBe(1)
    expect(all(queue)).toEqual(['three'])
  })

  it('plans a key anew once its timer was taken', () => {
    const queue = new Queue()
    queue.plan({ at: 1, owner, wake: 'one', key: 'k' })
    queue.take()
    queue.plan({ at: 2, owner, wake: 'two', key: 'k' })
    expect(all(queue)).toEqual(['two'])
  })

  it('forgets all of an owner, and only these', () => {
    const queue = new Queue()
    queue.plan({ at: 1, owner, wake: 'gone', key: 'k' })
    queue.plan({ at: 2, owner: 'other', wake: 'stays', key: 'k' })
    queue.plan({ at: 3, owner, wake: 'gone too' })
    queue.cancelAll(owner)
    expect(queue.size).toBe(1)
    expect(all(queue)).toEqual(['stays'])
  })

  it('agrees with a sorted list, whatever is planned, cancelled and copied', () => {
    const step = fc.record({
      do: fc.constantFrom('plan', 'cancel', 'take', 'copy', 'cancelAll'),
      at: fc.nat(20),
      key: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
      owner: fc.constantFrom('x', 'y'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let queue = new Queue()
        let list: { at: number; order: number; owner: string; key: string | undefined }[] = []
        steps.forEach((now, order) => {
          if (now.do === 'plan') {
            const { at, key } = now
            queue.plan({ at, owner: now.owner, wake: order, ...(key === undefined ? {} : { key }) })
            const same = list.find(
              (one) => key !== undefined && one.key === key && one.owner === now.owner,
            )
            if (same === undefined || same.at > at) {
              list = list.filter((one) => one !== same)
              list.push({ at, order, owner: now.owner, key })
            }
          }
          if (now.do === 'cancel' && now.key !== undefined) {
            queue.cancel(now.owner, now.key)
            list = list.filter((one) => one.key !== now.key || one.owner !== now.owner)
          }
          if (now.do === 'cancelAll') {
            queue.cancelAll(now.owner)
            list = list.filter((one) => one.owner !== now.owner)
          }
          if (now.do === 'copy') {
            const twin = new Queue()
            twin.takeAll(queue)
            queue.take()
            queue = twin
          }
          list.sort((one, other) => one.at - other.at || one.order - other.order)
          if (now.do === 'take') expect(queue.take()?.wake).toBe(list.shift()?.order)
          expect(queue.size).toBe(list.length)
          expect(queue.next()).toBe(list[0]?.at)
        })
        expect(all(queue)).toEqual(list.map(({ order }) => order))
      }),
    )
  })
})

function all(queue: Queue): unknown[] {
  const wakes = []
  for (;;) {
    const timer = queue.take()
    if (timer === undefined) return wakes
    wakes.push(timer.wake)
  }
}
