export interface Was {
  readonly name: string
  /** The first digits of the fingerprint that the name was given for. */
  readonly digest: string | undefined
}

/** `old-name`, or `old-name@` and at least eight digits of a fingerprint; else undefined. */
export function parseWas(text: string): Was | undefined {
  const match = /^([^@\s]+)(?:@(?:[a-z0-9-]+\/v\d+:)?([0-9a-f]{8,64}))?$/.exec(text.trim())
  if (match === null) return undefined
  const [, name = '', digest] = match
  return { name, digest }
}

export function formatWas(name: string, digest: string): string {
  return `${name}@${digest.slice(0, 8)}`
}
