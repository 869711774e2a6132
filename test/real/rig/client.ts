import https from 'node:https'

/** A small client of one API server: JSON in and out, nothing hidden, no retry. */
export interface Client {
  /** Always answers when the server does, whatever the code; rejects when it does not. */
  readonly request: (
    method: string,
    path: string,
    body?: unknown,
    contentType?: string,
    userAgent?: string,
  ) => Promise<Answer>
  /** Calls back for each event, from a list's resourceVersion or from now on. */
  readonly watch: (path: string, onEvent: (event: WatchEvent) => void) => Watch
  /** Closes the connections that are kept. */
  readonly close: () => void
}

export interface Answer {
  readonly code: number
  /** The object as JSON; text where the server sent something else. */
  readonly body: Body
  /** The texts of the Warning headers. */
  readonly warnings: readonly string[]
}

/** Any object of Kubernetes, a list or a Status. Tests read what they expect to be there. */
export interface Body {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata?: Metadata
  readonly spec?: Fields
  readonly status?: Fields | string
  readonly items?: readonly Body[]
  readonly reason?: string
  readonly message?: string
  readonly code?: number
  readonly details?: Fields
  readonly [field: string]: unknown
}

export interface Metadata {
  readonly name?: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly deletionTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly OwnerReference[]
  readonly [field: string]: unknown
}

export interface OwnerReference {
  readonly kind: string
  readonly name: string
  readonly uid: string
}

export type Fields = Readonly<Record<string, unknown>>

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: Body
}

export interface Watch {
  readonly close: () => void
  /** Fulfilled when the watch has ended, for whatever reason. */
  readonly ended: Promise<void>
}

export const APPLY = 'application/apply-patch+yaml'
export const MERGE = 'application/merge-patch+json'
export const JSON_PATCH = 'application/json-patch+json'

export function createClient({ port, token, ca }: Access): Client {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 64, ca })
  const options = (method: string, path: string, headers: Record<string, string | number>) => ({
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...headers },
  })
  const request: Client['request'] = (
    method,
    path,
    body,
    contentType = 'application/json',
    userAgent,
  ) => {
    const text =
      body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body)
    const headers = {
      'content-length': Buffer.byteLength(text),
      ...(body === undefined ? {} : { 'content-type': contentType }),
      ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
    }
    return new Promise((resolve, reject) => {
      const call = https.request({ ...options(method, path, headers), agent }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', reject)
        reply.on('end', () => {
          const body = parsed(Buffer.concat(chunks).toString('utf8'))
          resolve({ code: reply.statusCode ?? 0, body, warnings: warningsOf(reply.rawHeaders) })
        })
      })
      call.on('error', reject)
      call.end(text)
    })
  }
  const watch: Client['watch'] = (path, onEvent) => {
    const { promise: ended, resolve: end } = withResolvers()
    const watched = `${path}${path.includes('?') ? '&' : '?'}watch=true`
    const call = https.request({ ...options('GET', watched, {}), ca, agent: false }, (reply) => {
      let rest = ''
      reply.setEncoding('utf8')
      reply.on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (line !== '') onEvent(JSON.parse(line) as WatchEvent)
      })
      reply.on('error', end)
      reply.on('close', end)
    })
    call.on('error', end)
    call.end()
    return { close: () => call.destroy(), ended }
  }
  return { request, watch, close: () => agent.destroy() }
}

export interface Access {
  readonly port: number
  readonly token: string
  /** The certificate that the server shows, as PEM. */
  readonly ca: string
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text) as Body
  } catch {
    return { text }
  }
}

/** `299 - "text"`, with quotes and backslashes escaped. */
function warningsOf(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.flatMap((header, index) => {
    if (index % 2 === 1 || header.toLowerCase() !== 'warning') return []
    const quoted = /"((?:[^"\\]|\\.)*)"/.exec(rawHeaders[index + 1] ?? '')?.[1] ?? ''
    return [quoted.replaceAll(/\\(.)/g, '$1')]
  })
}
