/**
 * One kubectl command line, taken apart. Only flags that change what is sent are known; an unknown
 * one is an error, because guessing what it does would be a wrong answer.
 */
export interface KubectlCommand {
  readonly verb: 'apply' | 'create' | 'replace' | 'delete' | 'patch' | 'wait' | 'get' | 'diff'
  readonly args: readonly string[]
  readonly flags: { readonly [flag: string]: string }
}

/** Flags that take a value; all others are switches. */
const WITH_VALUE = new Set([
  'cascade',
  'dry-run',
  'field-manager',
  'filename',
  'for',
  'from',
  'grace-period',
  'image',
  'namespace',
  'output',
  'patch',
  'prune-allowlist',
  'selector',
  'subresource',
  'timeout',
  'type',
])

const SWITCHES = new Set([
  'force',
  'force-conflicts',
  'prune',
  'save-config',
  'server-side',
  'wait',
  'all',
  'ignore-not-found',
])

const SHORT: { readonly [letter: string]: string } = {
  f: 'filename',
  n: 'namespace',
  o: 'output',
  p: 'patch',
  l: 'selector',
}

const VERBS = ['apply', 'create', 'replace', 'delete', 'patch', 'wait', 'get', 'diff'] as const

/** Reads `kubectl apply --server-side -f -`; a text where it cannot be read. */
export function readKubectlCommand(line: string): KubectlCommand | string {
  const [program, word, ...rest] = line.trim().split(/\s+/)
  const verb = VERBS.find((known) => known === word)
  if (program !== 'kubectl' || verb === undefined) return `no kubectl command known: ${line}`
  const args: string[] = []
  const flags: { [flag: string]: string } = {}
  for (let at = 0; at < rest.length; at += 1) {
    const part = rest[at] ?? ''
    const [, dashes, name, , given] = /^(--?)([a-z-]+)(=(.*))?$/.exec(part) ?? []
    if (dashes === undefined || name === undefined) {
      args.push(part)
      continue
    }
    const flag = dashes === '-' ? SHORT[name] : name
    if (flag === undefined || (!WITH_VALUE.has(flag) && !SWITCHES.has(flag))) {
      return `kubectl ${verb} with ${part} is not modelled`
    }
    if (given !== undefined) flags[flag] = given
    else if (SWITCHES.has(flag)) flags[flag] = 'true'
    else {
      at += 1
      flags[flag] = rest[at] ?? ''
    }
  }
  return { verb, args, flags }
}

export function isOn({ flags }: KubectlCommand, flag: string): boolean {
  return flags[flag] !== undefined && flags[flag] !== 'false'
}
