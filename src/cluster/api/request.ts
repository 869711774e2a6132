import type { Json, JsonObject } from '../../core/json.ts'
import type { KubeObject, ResourceId } from '../object.ts'

export type Verb = 'create' | 'get' | 'list' | 'update' | 'patch' | 'delete' | 'deletecollection'

/**
 * One request to the API server, as HTTP would carry it. The transport (src/server later) makes
 * these from paths and bodies; controllers and clients of the model make them directly.
 */
export interface Request {
  readonly verb: Verb
  readonly resource: ResourceId
  readonly namespace?: string
  readonly name?: string
  /** `status`, `scale`, `eviction`, `binding`. */
  readonly subresource?: string
  /** The object of a create or update; DeleteOptions of a delete. Any JSON: people send anything. */
  readonly body?: Json
  readonly patch?: { readonly type: PatchType; readonly body: Json }
  readonly options?: RequestOptions
  /** Who asks, for managers, admission and the log: `system:serviceaccount:kube-system:job-controller`. */
  readonly user: string
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply'

export interface RequestOptions {
  readonly dryRun?: boolean
  readonly fieldManager?: string
  /** Of an apply: take fields that others own. */
  readonly force?: boolean
  /** Default `Warn`, as since Kubernetes 1.27. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict'
  /** In place of the same fields of DeleteOptions. */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly limit?: number
  readonly continue?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'NotOlderThan' | 'Exact'
}

/** What the server answers; `code` is the HTTP status. Warnings are without their `299 -`. */
export interface Answer {
  readonly code: number
  readonly body: KubeObject | KubeList | Status
  readonly warnings: readonly string[]
}

export interface KubeList extends JsonObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly resourceVersion: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  readonly items: readonly KubeObject[]
}

/** metav1.Status, as the real server fills it. */
export interface Status extends JsonObject {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: JsonObject
  readonly status: 'Success' | 'Failure'
  readonly message?: string
  readonly reason?: string
  readonly details?: JsonObject
  readonly code?: number
}

/** An event of a watch. `before` lets an observer see what changed without a cache of its own. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly resource: ResourceId
  /** For DELETED the last state, with the resourceVersion of the deletion. */
  readonly object: KubeObject
  readonly before?: KubeObject
}

export function succeeded(answer: Answer): answer is Answer & { readonly body: KubeObject } {
  return answer.code >= 200 && answer.code < 300
}
