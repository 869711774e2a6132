import type { Json, JsonObject } from '../../core/json.ts'
import type { FieldError } from '../api/kind.ts'
import type { KubeObject, ManagedFieldsEntry } from '../object.ts'
import type { Instant } from '../time.ts'

/**
 * What is known of types: fields, their JSON types, and how lists and maps merge. Taken from the
 * API server's own OpenAPI (scripts/openapi-table.mjs), for the built-in kinds of the model; the
 * schema of a CustomResourceDefinition is read into the same form.
 */
export interface TypeRef {
  /** `any` accepts everything (preserve-unknown-fields, RawExtension). */
  readonly kind:
    | 'object'
    | 'map'
    | 'list'
    | 'string'
    | 'integer'
    | 'number'
    | 'boolean'
    | 'int-or-string'
    | 'quantity'
    | 'time'
    | 'bytes'
    | 'any'
  /** The Go type as decoding errors print it: `v1.JobSpec`, `[]v1.Container`, `int32`. */
  readonly goType?: string
  readonly fields?: ReadonlyMap<string, TypeRef>
  readonly items?: TypeRef
  readonly listType?: 'atomic' | 'set' | 'map'
  readonly mapKeys?: readonly string[]
  /** The field's default in the schema: counts for keys of lists (`protocol: TCP` of a port). */
  readonly default?: Json
  readonly mapType?: 'granular' | 'atomic'
  /** For strategic merge: x-kubernetes-patch-strategy and -merge-key. */
  readonly patchStrategy?: string
  readonly patchMergeKey?: string
  readonly int32?: boolean
  /** A time with microseconds (leases). */
  readonly micro?: boolean
  /** The field is left out of JSON when empty (omitempty) or a zero struct (omitzero). */
  readonly omitEmpty?: boolean
  readonly omitZero?: boolean
  /** A Go pointer: what is written is kept, be it zero. */
  readonly pointer?: boolean
  /** Names of the Go structs that the field is inlined from: decoding errors show them. */
  readonly inlined?: string
  /** What JSON holds of a struct without any value: the fields that are never left out. */
  readonly zero?: JsonObject
}

/** Reading a body as the server's decoder does; `problems` with strict validation, else warnings. */
export interface Decoded {
  readonly object: JsonObject
  /** `unknown field "spec.foo"`, `duplicate field "..."`; as warnings or, with Strict, as the error. */
  readonly unknown: readonly string[]
}

/**
 * A body that cannot be decoded: 400 BadRequest with this text behind `Job in version "v1" cannot be
 * handled as a Job: `, or, when not even its kind could be read, behind `the object provided is
 * unrecognized (must be of type Job): `.
 */
export interface DecodeFault {
  readonly message: string
  readonly unrecognised?: boolean
}

/** A patch that cannot be applied: code and text as the server answers. */
export interface PatchFault {
  readonly code: 400 | 404 | 409 | 415 | 422 | 500
  readonly reason?: string
  readonly message: string
  /** Of the patch itself, not of an object: the Status names neither kind nor name. */
  readonly errors?: readonly FieldError[]
}

/** What server-side apply refuses without force: one per field, grouped by owner in the message. */
export interface Conflict {
  /** With version and subresource in words as the server writes it. */
  readonly owner: string
  /** `.spec.backoffLimit` */
  readonly field: string
}

export interface ApplyInput {
  /** Undefined when the object is created by the apply. */
  readonly live: KubeObject | undefined
  /** The applied configuration as sent: apply reads it by its own rules, not by `decode`. */
  readonly config: JsonObject
  readonly type: TypeRef
  readonly manager: string
  readonly force: boolean
  readonly subresource?: string
  /** False for a custom resource whose status is a field like any other. */
  readonly hasStatus?: boolean
  readonly now: Instant
}

export type Applied =
  /** The object before defaults, without the new managers in it; `live` itself: nothing changed. */
  | { readonly object: JsonObject; readonly managedFields: readonly ManagedFieldsEntry[] }
  | { readonly conflicts: readonly Conflict[] }
  | { readonly fault: PatchFault }

/** Bookkeeping of every write that is not an apply. */
export interface UpdateInput {
  readonly before: KubeObject | undefined
  readonly after: JsonObject
  readonly type: TypeRef
  readonly manager: string
  readonly subresource?: string
  /** As in ApplyInput. */
  readonly hasStatus?: boolean
  readonly now: Instant
}

/** The functions of src/cluster/fields/index.ts. */
export interface Fields {
  /** `live`: parts of the body that are shared with it are taken as they are. */
  decode(body: Json | undefined, type: TypeRef, live?: JsonObject): Decoded | DecodeFault
  jsonPatch(target: JsonObject, operations: Json): JsonObject | PatchFault
  mergePatch(target: JsonObject, patch: Json): JsonObject | PatchFault
  strategicMergePatch(target: JsonObject, patch: Json, type: TypeRef): JsonObject | PatchFault
  /** A strategic merge patch as the server prints it in complaints about its fields. */
  patchText(patch: Json): string
  apply(input: ApplyInput): Applied
  /**
   * The managers after a create, update or patch that is no apply: of the object with its defaults,
   * and before admission changes it. What admission changes belongs to nobody and takes nothing
   * from anybody, after an apply too: the managers stay as they were before it.
   */
  updateManagers(input: UpdateInput): readonly ManagedFieldsEntry[]
  /**
   * The last step before a write is compared with what is stored: times of managers go back to
   * what they were when nothing else has changed.
   */
  settleTimes(next: KubeObject, live: KubeObject): KubeObject
}
