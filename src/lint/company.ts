import type { Company, Subject } from '../ownership/subject.ts'

/** What pods refer to, and what makes it. */
export const PROVIDERS: readonly string[] = [
  'Certificate',
  'ConfigMap',
  'ExternalSecret',
  'PersistentVolumeClaim',
  'SealedSecret',
  'Secret',
  'ServiceAccount',
]

/** What stays and runs pods. */
export const SERVICES: readonly string[] = ['DaemonSet', 'Deployment', 'StatefulSet']

/** Members that one carrier applies together, so that its other objects are read once for all. */
export function byCompany<Member extends { readonly subject: Subject }>(
  members: readonly Member[],
): ReadonlyMap<Company, readonly Member[]> {
  const groups = new Map<Company, Member[]>()
  for (const member of members) {
    const { company } = member.subject
    const group = groups.get(company)
    if (group === undefined) groups.set(company, [member])
    else group.push(member)
  }
  return groups
}
