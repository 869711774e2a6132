/** An image as manifests name it. */
export interface Image {
  /** Registry and path: `registry.example.test/shop/migrate`. */
  readonly repository: string
  readonly tag?: string
  readonly digest?: string
}

export function imageOf(text: string): Image {
  const [name = '', digest] = text.split('@')
  const colon = name.lastIndexOf(':')
  const isTagged = colon > name.lastIndexOf('/')
  return {
    repository: isTagged ? name.slice(0, colon) : name,
    ...(isTagged ? { tag: name.slice(colon + 1) } : {}),
    ...(digest === undefined ? {} : { digest }),
  }
}

export function imageText({ repository, tag, digest }: Image): string {
  const tagged = tag === undefined ? repository : `${repository}:${tag}`
  return digest === undefined ? tagged : `${tagged}@${digest}`
}
