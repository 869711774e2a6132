export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  readonly text: string
}

/** A strict reader of the part of XML that our outputs use; throws at anything else. */
export function parseXml(xml: string): XmlElement {
  const reader = new Reader(xml)
  return reader.document()
}

class Reader {
  private readonly xml: string
  private at = 0

  constructor(xml: string) {
    if (FORBIDDEN.test(xml)) throw new Error('a sign that XML forbids')
    this.xml = xml
  }

  document(): XmlElement {
    this.take(/<\?xml version="1\.0" encoding="UTF-8"\?>\s*/y)
    const root = this.element()
    this.take(/\s*/y)
    if (this.at !== this.xml.length) throw this.wrong('text behind the root')
    return root
  }

  private element(): XmlElement {
    const [, name = '', written = '', end = ''] = this.take(
      /<([A-Za-z][\w-]*)((?:\s+[A-Za-z][\w-]*="[^"<]*")*)\s*(\/?)>/y,
    )
    const attributes: Record<string, string> = {}
    for (const [, key = '', value = ''] of written.matchAll(/([\w-]+)="([^"]*)"/g)) {
      if (key in attributes) throw this.wrong(`${key} twice`)
      attributes[key] = unescaped(value)
    }
    const children: XmlElement[] = []
    let text = ''
    if (end === '/') return { name, attributes, children, text }
    for (;;) {
      text += unescaped(this.take(/[^<]*/y)[0])
      if (this.xml.startsWith('</', this.at)) break
      children.push(this.element())
    }
    const [, closed] = this.take(/<\/([A-Za-z][\w-]*)>/y)
    if (closed !== name) throw this.wrong(`</${closed}> ends <${name}>`)
    return { name, attributes, children, text }
  }

  private take(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.xml)
    if (match === null) throw this.wrong(`no ${pattern.source}`)
    this.at += match[0].length
    return match
  }

  private wrong(what: string): Error {
    return new Error(`${what} at ${JSON.stringify(this.xml.slice(this.at, this.at + 80))}`)
  }
}

// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function unescaped(text: string): string {
  if (text.includes(']]>')) throw new Error('an end of CDATA in text')
  return text.replaceAll(/&(?:#(\d+)|(\w+));|&/g, (_, number?: string, name?: string) => {
    const sign = number === undefined ? NAMED[name ?? ''] : String.fromCodePoint(Number(number))
    if (sign === undefined) throw new Error(`an & that begins nothing in ${text}`)
    return sign
  })
}
