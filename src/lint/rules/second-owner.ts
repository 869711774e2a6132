import { stringAt } from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Repository, Subject } from '../../ownership/subject.ts'
import { manifestKey, namespaceOf, sameCluster } from '../chain.ts'
import { engineTitle, label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * Two carriers apply one object: the same file twice, or two files with one name. Each takes the
 * other's changes back, and pruning one removes the object of the other.
 * Silent when names, namespaces or clusters differ or are only known after rendering, and for
 * carriers in different folders, as folders per cluster share their files on purpose.
 */
export const secondOwner: Rule = {
  id: 'second-owner',
  severity: 'error',
  summary: 'Two engines, or two carriers of one engine, apply the same Job.',
  kinds: ['Job', 'CronJob'],
  checkRepository,
}

function checkRepository({ subjects }: Repository): readonly RuleFinding[] {
  const byIdentity = new Map<string, Subject[]>()
  for (const subject of subjects) {
    const identity = identityOf(subject)
    if (identity === undefined) continue
    const group = byIdentity.get(identity)
    if (group === undefined) byIdentity.set(identity, [subject])
    else group.push(subject)
  }
  return [...byIdentity.values()]
    .filter((group) => group.length > 1)
    .flatMap((group) => firstPair(group.filter(({ traits }) => traits.applies)))
}

/** One finding an object: the first two subjects that surely meet, and the others beside them. */
function firstPair(group: readonly Subject[]): readonly RuleFinding[] {
  for (const [index, one] of group.entries()) {
    const others = group.slice(index + 1).filter((other) => meet(one, other))
    if (others.length > 0) return [finding(one, others)]
  }
  return []
}

function meet(one: Subject, other: Subject): boolean {
  if (one.carrier === undefined || other.carrier === undefined) return false
  if (manifestKey(one.carrier) === manifestKey(other.carrier)) return false
  // Two objects of one name never live in one cluster.
  if (carrierName(one) === carrierName(other)) return false
  return sameCluster(one, other)
}

function finding(one: Subject, others: readonly Subject[]): RuleFinding {
  const [other] = others
  const second = other ?? one
  const sameFile = manifestKey(one.manifest) === manifestKey(second.manifest)
  const owners = [one, ...others].map(carrierName)
  return {
    subject: one,
    at: ['metadata', 'name'],
    what: sameFile
      ? `${label(one)} is applied by ${owners.length} owners: ${owners.join(' and ')}`
      : `${label(one)} stands in two files with two owners: ${owners.join(' and ')}`,
    why: whyOf(one, second, sameFile),
    remedy:
      'let one of them carry it: take the file out of the other, or give it another name or namespace',
    ...(sameFile ? {} : { severity: 'warning' }),
    related: [one, ...others].flatMap((subject) => [
      ...(subject === one || sameFile
        ? []
        : [
            {
              place: subject.placeOf(['metadata', 'name']),
              note: `carried by ${carrierName(subject)}`,
            },
          ]),
      ...ownerPlace(subject),
    ]),
  }
}

function ownerPlace(subject: Subject): NonNullable<RuleFinding['related']> {
  const { carrier } = subject
  if (carrier === undefined) return []
  const { document, root } = carrier
  const name = document.locate([...root, 'metadata', 'name'])?.value
  return [
    { place: { source: document.source, span: name ?? document.span }, note: carrierName(subject) },
  ]
}

function whyOf(one: Subject, other: Subject, sameFile: boolean): string {
  const when = sameFile ? 'as soon as' : 'where'
  const pruner = [one, other].find(({ traits }) => traits.removesUndeclared === true)
  const parts = [`${when} their texts differ, ${differing(one, other)}`]
  if (pruner !== undefined) {
    const keeper = pruner === one ? other : one
    const again = keeper.traits.restoresAbsent.when === 'never' ? '' : ', which then runs again'
    parts.push(
      `when ${carrierName(pruner)} is deleted or drops it, ${engineTitle(pruner)} removes it under ` +
        `${carrierName(keeper)}${one.kind === 'Job' ? again : ''}`,
    )
  }
  return parts.join('; ')
}

function differing(one: Subject, other: Subject): string {
  if (one.kind === 'CronJob') return 'each takes back what the other wrote'
  return [one, other].every(({ traits }) => traits.templateChange === 'recreates')
    ? "each deletes the other's Job and runs its own, at every reconcile of either, also in the middle of a run"
    : 'one of them is refused (field is immutable) or takes back what the other wrote'
}

function carrierName({ carrier }: Subject): string {
  if (carrier === undefined) return ''
  const { kind, namespace, name } = carrier
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name ?? ''}`
}

function identityOf(subject: Subject): string | undefined {
  const { object, kind } = subject
  const name = stringAt(object, ['metadata', 'name'])
  const namespace = namespaceOf(subject)
  if (name === undefined || namespace === undefined || isTemplated(name)) return undefined
  return `${kind} ${namespace}/${name}`
}
