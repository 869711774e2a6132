/**
 * Where each rule of the models is written down. The first letters of an id name the page, and the
 * whole id the anchor: rule-pages.test.ts holds this table against the pages.
 */
export function rulePage(rule: string): RulePage {
  const prefix = /^([A-Z]{1,2})-\d/.exec(rule)?.[1]
  const page = prefix === undefined ? undefined : pageOf(prefix)
  if (page === undefined) return {}
  const isUnconfirmed = UNRECORDED_PAGES.has(page) || UNCONFIRMED_RULES.has(rule)
  return {
    page: `docs/engines/${page}.md#${anchorOf(rule)}`,
    ...(isUnconfirmed ? { unconfirmed: true } : {}),
  }
}

export interface RulePage {
  /** `docs/engines/flux.md#f-11`; left out for what is no rule of a page. */
  readonly page?: string
  /** Read from source or documents, and no recording has shown it. */
  readonly unconfirmed?: true
}

/** `F-11` has the anchor `f-11`. */
export function anchorOf(rule: string): string {
  return rule.toLowerCase()
}

function pageOf(prefix: string): string | undefined {
  return Object.hasOwn(PAGES, prefix) ? PAGES[prefix] : undefined
}

const PAGES: { readonly [prefix: string]: string } = {
  A: 'argocd',
  E: 'fleet',
  F: 'flux',
  G: 'kubectl',
  H: 'helm',
  IA: 'second-actors',
  IU: 'second-actors',
  K: 'kubernetes',
  KC: 'kubectl',
  KU: 'second-actors',
  ME: 'second-actors',
  O: 'resourceset',
  R: 'helm-controller',
  RL: 'second-actors',
  T: 'terraform',
  X: 'kro',
}

/** Pages that say of themselves that nothing on them was recorded. */
const UNRECORDED_PAGES: ReadonlySet<string> = new Set(['fleet', 'second-actors', 'terraform'])

/** Rules that their page marks as not recorded. */
const UNCONFIRMED_RULES: ReadonlySet<string> = new Set(['K-92', 'X-4'])
