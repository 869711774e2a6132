import type { Request } from '../../../src/cluster/api/request.ts'
import { shape, type Difference } from './compare.ts'

/** A difference that stays, with the reason. A script has to show it, so that it is still one. */
export interface KnownDifference {
  readonly id: string
  readonly reason: string
  readonly is: (request: Request, difference: Difference) => boolean
  /** Kubernetes 1.x from which on it does not occur. */
  readonly until?: number
  /** The two versions of the object are the same one from then on. */
  readonly isNewVersion?: true
}

/** docs/reference/known-differences.md has the same ids. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    id: 'first-write-of-a-job',
    reason:
      'The real server shows the labels of the pod template as those of a Job that has none, and ' +
      'stores them only with the next write. So a first write that changes nothing still makes a ' +
      'new resourceVersion.',
    is: ({ resource }, { at, real, model }) =>
      resource.resource === 'jobs' &&
      at === 'body.metadata.resourceVersion' &&
      typeof real === 'string' &&
      typeof model === 'string',
    isNewVersion: true,
  },
  {
    id: 'empty-value-in-a-complaint',
    reason:
      'The model keeps no empty list or map apart from none, so a complaint that prints one of ' +
      'the request says null.',
    is: (_request, { at, real, model }) =>
      /^body\.(message|details)/.test(at) &&
      typeof real === 'string' &&
      typeof model === 'string' &&
      withoutEmpty(real) === withoutEmpty(model),
  },
  {
    id: 'fields-of-another-version',
    reason:
      'Complaints that print a whole pod template name the fields of the 1.36 types, whatever ' +
      'version is modelled.',
    until: 36,
    is: (_request, { at, real, model }) =>
      /^body\.(message|details)/.test(at) &&
      typeof real === 'string' &&
      typeof model === 'string' &&
      withoutNewFields(real) === withoutNewFields(model),
  },
]

function withoutNewFields(text: string): string {
  return withoutEmpty(text).replaceAll(
    /,"(?:WorkloadRef|SchedulingGroup|HostnameOverride)":null/g,
    '',
  )
}

function withoutEmpty(text: string): string {
  return shape(text).replaceAll(/\[\]|\{\}/g, 'null')
}

/** At most this share of the steps of a run may differ in a known way. */
export const MOST_KNOWN = 0.03

export function knownAs(request: Request, difference: Difference): KnownDifference | undefined {
  return knownDifferences.find(({ is }) => is(request, difference))
}
