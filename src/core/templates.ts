/**
 * Text that only rendering can turn into a value: Helm `{{ }}`, ResourceSet `<< >>`, kro CEL and
 * Flux substitution `${ }`, and `${{ }}` of scaffolding tools, whose output this file becomes.
 * Such a value is unknown, which never starts or proves anything.
 */
const ACTION = /\$?\{\{[\s\S]*?\}\}|<<[\s\S]*?>>|\$\{[\s\S]*?\}/g

export function isTemplated(value: unknown): boolean {
  return typeof value === 'string' && value.search(ACTION) >= 0
}

/** The parts between the actions, which every rendering keeps. */
export function literalParts(text: string): readonly string[] {
  return text.split(ACTION)
}

/** The actions themselves, with their delimiters, in order. */
export function actionsOf(text: string): readonly string[] {
  return text.match(ACTION) ?? []
}
