import { byteLength } from '../../../core/text.ts'
import { type Complaints, objectOf, objectsOf, textOf, textsOf } from '../complaints.ts'
import { subdomainFaults, underscoreSubdomainFaults } from '../names.ts'
import type { PodContext } from './context.ts'
import { isIP } from './ip.ts'

const POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']
const MOST_SERVERS = 3
const MOST_SEARCHES = 32
const LONGEST_LIST = 2048

export function checkDnsPolicy(out: Complaints, pod: PodContext, path: string): void {
  const policy = textOf(pod.spec, 'dnsPolicy')
  if (policy === '') out.required(path)
  else if (!POLICIES.includes(policy)) out.notSupported(path, policy, POLICIES)
}

export function checkDnsConfig(out: Complaints, pod: PodContext, path: string): void {
  const config = objectOf(pod.spec, 'dnsConfig')
  const servers = textsOf(config, 'nameservers')
  if (textOf(pod.spec, 'dnsPolicy') === 'None') {
    if (config === undefined) {
      return out.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')
    }
    if (servers.length === 0) {
      const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None'
      return out.required(`${path}.nameservers`, detail)
    }
  }
  if (config === undefined) return
  if (servers.length > MOST_SERVERS) {
    const detail = `must not have more than ${MOST_SERVERS} nameservers`
    out.invalid(`${path}.nameservers`, servers, detail)
  }
  servers.forEach((server, at) => checkIP(out, server, `${path}.nameservers[${at}]`, pod))
  checkSearches(out, textsOf(config, 'searches'), `${path}.searches`, pod)
  objectsOf(config, 'options').forEach((option, at) => {
    if (textOf(option, 'name') === '') out.required(`${path}.options[${at}]`, 'must not be empty')
  })
}

function checkSearches(
  out: Complaints,
  searches: readonly string[],
  path: string,
  pod: PodContext,
): void {
  if (searches.length > MOST_SEARCHES) {
    out.invalid(path, searches, `must not have more than ${MOST_SEARCHES} search paths`)
  }
  if (byteLength(searches.join(' ')) > LONGEST_LIST) {
    const detail = `must not have more than ${LONGEST_LIST} characters (including spaces) in the search list`
    out.invalid(path, searches, detail)
  }
  searches.forEach((search, at) => {
    const name = search.replace(/\.$/, '')
    // Since 1.33 a lone dot and underscores are taken.
    const relaxed = pod.rules.minor >= 33
    if (relaxed && search === '.') return
    const faults = relaxed ? underscoreSubdomainFaults(name) : subdomainFaults(name)
    out.invalidEach(`${path}[${at}]`, name, faults)
  })
}

/** Since 1.36 spellings that programs read differently are refused. */
function checkIP(out: Complaints, address: string, path: string, pod: PodContext): void {
  if (!isIP(address)) {
    out.invalid(path, address, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')
  } else if (pod.rules.minor >= 36) {
    if (/(?:^|[.:])0\d+\./.test(address) || /\.0\d+$/.test(address)) {
      out.invalid(path, address, 'must not have leading 0s')
    } else if (isMapped(address)) {
      out.invalid(path, address, 'must not be an IPv4-mapped IPv6 address')
    }
  }
}

function isMapped(address: string): boolean {
  return /^(?:::|(?:0{1,4}:){5})ffff:(?:\d+\.|[0-9a-f]{1,4}:[0-9a-f]{1,4}$)/i.test(address)
}

export function checkHostAliases(out: Complaints, pod: PodContext, path: string): void {
  objectsOf(pod.spec, 'hostAliases').forEach((alias, at) => {
    checkIP(out, textOf(alias, 'ip'), `${path}[${at}].ip`, pod)
    textsOf(alias, 'hostnames').forEach((name, index) => {
      out.invalidEach(`${path}[${at}].hostnames[${index}]`, name, subdomainFaults(name))
    })
  })
}
