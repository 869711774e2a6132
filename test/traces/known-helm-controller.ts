/** As known.ts, for helm-controller. */
export const knownHelmController: Readonly<Record<string, string>> = {}
