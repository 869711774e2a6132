import type { Functions } from './exec.ts'
import { asMap } from './functions.ts'
import { text } from './sprig-texts.ts'
import type { Value } from './value.ts'

/** path.Clean */
function clean(path: string): string {
  const isRooted = path.startsWith('/')
  const kept: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') kept.push(part)
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (!isRooted) kept.push('..')
  }
  const joined = kept.join('/')
  if (isRooted) return `/${joined}`
  return joined === '' ? '.' : joined
}

function base(path: string): string {
  if (path === '') return '.'
  const cut = path.replace(/\/+$/, '')
  return cut === '' ? '/' : cut.slice(cut.lastIndexOf('/') + 1)
}

function ext(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot)
}

const dir = (value: Value): string => clean(text(value).slice(0, text(value).lastIndexOf('/') + 1))

const URL_PARTS =
  /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?$/

function urlParse(value: Value): Value {
  const [, scheme = '', authority, path = '', query = '', fragment = ''] =
    URL_PARTS.exec(text(value)) ?? []
  const at = authority?.lastIndexOf('@') ?? -1
  const userinfo = at < 0 ? '' : (authority ?? '').slice(0, at)
  const host = (authority ?? '').slice(at + 1)
  const isOpaque = scheme !== '' && authority === undefined && !path.startsWith('/')
  return {
    scheme: scheme.toLowerCase(),
    host,
    hostname: host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1'),
    path: isOpaque ? '' : path,
    query,
    opaque: isOpaque ? path : '',
    fragment,
    userinfo,
  }
}

function urlJoin(value: Value): Value {
  const parts = asMap(value)
  const part = (name: string): string => (typeof parts[name] === 'string' ? parts[name] : '')
  const user = part('userinfo') === '' ? '' : `${part('userinfo')}@`
  const scheme = part('scheme') === '' ? '' : `${part('scheme')}:`
  const authority = part('host') === '' && user === '' ? '' : `//${user}${part('host')}`
  const slash = authority !== '' && part('path') !== '' && !part('path').startsWith('/') ? '/' : ''
  const query = part('query') === '' ? '' : `?${part('query')}`
  const fragment = part('fragment') === '' ? '' : `#${part('fragment')}`
  const middle = part('opaque') === '' ? `${authority}${slash}${part('path')}` : part('opaque')
  return `${scheme}${middle}${query}${fragment}`
}

export const paths: Functions = {
  base: (value) => base(text(value)),
  dir,
  clean: (value) => clean(text(value)),
  ext: (value) => ext(text(value)),
  isAbs: (value) => text(value).startsWith('/'),
  osBase: (value) => base(text(value)),
  osDir: dir,
  osClean: (value) => clean(text(value)),
  osExt: (value) => ext(text(value)),
  osIsAbs: (value) => text(value).startsWith('/'),
  urlParse,
  urlJoin,
  // Without --enable-dns Helm asks nobody.
  getHostByName: () => '',
}
