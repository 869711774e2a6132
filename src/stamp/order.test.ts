import { expect, it } from 'vitest'
import { inOrder } from './order.ts'

function sorted(graph: Readonly<Record<string, string>>): { order: string; circles: string } {
  const nodes = Object.keys(graph)
  const { order, circleOf } = inOrder(nodes, (node) => (graph[node] ?? '').split(''))
  const groups = new Map<number, string[]>()
  for (const node of nodes) {
    const circle = circleOf.get(node) ?? -1
    groups.set(circle, [...(groups.get(circle) ?? []), node])
  }
  return {
    order: order.join(''),
    circles: [...groups.values()].map((group) => group.join('')).join(' '),
  }
}

it.each([
  ['nothing depends on anything', { a: '', b: '' }, 'ab', 'a b'],
  ['each depends on the next', { a: 'b', b: 'c', c: '' }, 'cba', 'a b c'],
  ['two depend on one', { a: 'c', b: 'c', c: '' }, 'cab', 'a b c'],
  ['one depends on itself', { a: 'a' }, 'a', 'a'],
  ['two depend on each other', { a: 'b', b: 'a', c: 'a' }, 'bac', 'ab c'],
  ['a circle depends on another', { a: 'b', b: 'ac', c: 'd', d: 'c' }, 'dcba', 'ab cd'],
])('sorts where %s', (_, graph, order, circles) => {
  expect(sorted(graph)).toEqual({ order, circles })
})

it('sorts a chain of a hundred thousand', () => {
  const nodes = Array.from({ length: 100_000 }, (_, index) => index)
  const { order } = inOrder(nodes, (node) => (node + 1 < nodes.length ? [node + 1] : []))
  expect(order[0]).toBe(nodes.length - 1)
})
