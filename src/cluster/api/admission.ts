import type { Reader } from '../actor.ts'
import type { KubeObject, ResourceId } from '../object.ts'
import type { Instant } from '../time.ts'
import type { FieldError, Rules } from './kind.ts'

/**
 * One admission plugin, policy engine or webhook. Mutating ones run first, in their order, then the
 * object is defaulted and judged by its kind, then validating ones run. One file per plugin in
 * src/cluster/admission, one line in its index.ts.
 */
export interface Admission {
  readonly name: string
  mutate?(review: Review): Admitted
  validate?(review: Review): Admitted
}

export interface Review {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  readonly resource: ResourceId
  readonly subresource?: string
  readonly namespace?: string
  readonly name: string
  /** Undefined for DELETE. */
  readonly object?: KubeObject
  readonly old?: KubeObject
  readonly dryRun: boolean
  readonly user: string
  readonly options: { readonly [name: string]: string | boolean | undefined }
  readonly read: Reader
  readonly rules: Rules
  readonly now: Instant
}

export type Admitted =
  /** `object` left out: unchanged. */
  | { readonly allowed: true; readonly object?: KubeObject; readonly warnings?: readonly string[] }
  | {
      readonly allowed: false
      readonly code: number
      readonly reason: string
      readonly message: string
      readonly errors?: readonly FieldError[]
      /** Causes that are no complaint about a field: what a policy said. */
      readonly causes?: readonly string[]
    }
