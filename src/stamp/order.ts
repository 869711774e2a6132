/**
 * Sorts nodes so that each comes after those that it depends on. Nodes that depend on each other
 * form a circle: they get the same circle number, and all others one of their own.
 */
export function inOrder<T>(
  nodes: readonly T[],
  dependsOn: (node: T) => Iterable<T>,
): { readonly order: readonly T[]; readonly circleOf: ReadonlyMap<T, number> } {
  const sorter = new Sorter<T>(dependsOn)
  for (const node of nodes) sorter.visit(node)
  return sorter
}

/** Tarjan's strongly connected components, without recursion: chains may be long. */
class Sorter<T> {
  readonly order: T[] = []
  readonly circleOf = new Map<T, number>()
  private readonly dependsOn: (node: T) => Iterable<T>
  private readonly indexes = new Map<T, number>()
  private readonly lowest = new Map<T, number>()
  private readonly stack: T[] = []
  private readonly onStack = new Set<T>()

  constructor(dependsOn: (node: T) => Iterable<T>) {
    this.dependsOn = dependsOn
  }

  visit(root: T): void {
    if (this.indexes.has(root)) return
    const open: { readonly node: T; readonly rest: Iterator<T> }[] = [this.open(root)]
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const next = top.rest.next()
      if (next.done === true) {
        open.pop()
        this.close(top.node)
        const parent = open.at(-1)
        if (parent !== undefined) this.lower(parent.node, this.lowest.get(top.node) ?? 0)
      } else if (!this.indexes.has(next.value)) {
        open.push(this.open(next.value))
      } else if (this.onStack.has(next.value)) {
        this.lower(top.node, this.indexes.get(next.value) ?? 0)
      }
    }
  }

  private open(node: T): { readonly node: T; readonly rest: Iterator<T> } {
    const index = this.indexes.size
    this.indexes.set(node, index)
    this.lowest.set(node, index)
    this.stack.push(node)
    this.onStack.add(node)
    return { node, rest: this.dependsOn(node)[Symbol.iterator]() }
  }

  private lower(node: T, to: number): void {
    if (to < (this.lowest.get(node) ?? 0)) this.lowest.set(node, to)
  }

  private close(node: T): void {
    const index = this.indexes.get(node) ?? 0
    if (this.lowest.get(node) !== index) return
    for (;;) {
      const member = this.stack.pop() as T
      this.onStack.delete(member)
      this.circleOf.set(member, index)
      this.order.push(member)
      if (member === node) return
    }
  }
}
