/** A rule of docs/engines/second-actors.md. */
export interface SecondActorRule {
  readonly id: string
  readonly page: 'second-actors.md'
  /** Whether a recording has shown it. */
  readonly isConfirmed: boolean
}

/** How many rules each actor has. Nothing of them was ever recorded. */
const COUNTS: readonly (readonly [string, number])[] = [
  ['RL', 8],
  ['IU', 7],
  ['IA', 7],
  ['KU', 10],
  ['ME', 6],
]

/** All rules of second actors; a prediction that rests on one has to say that it is unconfirmed. */
export const secondActorRules: readonly SecondActorRule[] = COUNTS.flatMap(([prefix, count]) =>
  Array.from({ length: count }, (_, at) => ({
    id: `${prefix}-${at + 1}`,
    page: 'second-actors.md' as const,
    isConfirmed: false,
  })),
)
