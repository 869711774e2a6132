/** What `.Release` and the chart are to Helm. */
export interface Release {
  readonly name: string
  readonly namespace: string
  /** Name of the chart, for the full name; `app` when left out. */
  readonly chart?: string
  readonly appVersion?: string
}

/** What applies the rendered objects; `any` is the strictest. */
export const ENGINES = ['any', 'flux', 'argocd', 'argocd-selfheal', 'kro', 'helm', 'none'] as const
export type RenderEngine = (typeof ENGINES)[number]

/** What to think of an image tag without a digest. */
export const TAG_POLICIES = ['allow', 'warn', 'immutable'] as const
export type TagPolicy = (typeof TAG_POLICIES)[number]

export interface RenderOptions {
  readonly release: Release
  readonly engine?: RenderEngine
  readonly tagPolicy?: TagPolicy
  /** Also the enabled entries of `configMaps`, before the Jobs that read them. */
  readonly configMaps?: boolean
  /** The values are also read by others: other top-level keys are theirs, unless misspelt. */
  readonly sharedValues?: boolean
}

/** Engines that create an object again when it is missing, without anything being changed. */
export function restoresMissing(engine: RenderEngine): boolean {
  return engine !== 'argocd' && engine !== 'helm' && engine !== 'none'
}
