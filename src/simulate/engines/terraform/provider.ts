/** What differs between versions of the Kubernetes provider. */
export interface Provider {
  /**
   * 2.34.0 and 2.35.0 kept a Job with a TTL in the state when the cluster had it no longer; 2.35.1
   * took that back (its change log, GH-2650).
   */
  readonly keepsExpired: boolean
}

export function providerOf(version: string | undefined): Provider {
  const [, major, minor, patch] = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(version ?? '') ?? []
  const number = Number(minor ?? 0) * 1000 + Number(patch ?? 0)
  return { keepsExpired: major === '2' && number >= 34_000 && number < 35_001 }
}
