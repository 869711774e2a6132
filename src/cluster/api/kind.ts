import type { Json, JsonObject, Path } from '../../core/json.ts'
import type { TypeRef } from '../fields/contract.ts'
import type { KubeObject, ResourceId } from '../object.ts'

/**
 * What the API server knows of one kind: how it is spelled, filled in and judged. One file per
 * kind in src/cluster/kinds, one line in its index.ts. The generic verbs (api/) do the rest.
 */
export interface Kind extends ResourceId {
  readonly kind: string
  readonly singular: string
  readonly shortNames?: readonly string[]
  readonly namespaced: boolean
  /** The type in the schema table (fields/schema): `io.k8s.api.batch.v1.Job`; undefined: any JSON. */
  readonly type?: string
  /** In place of `type`: how a custom resource's definition describes it. */
  readonly schema?: TypeRef
  readonly hasStatus: boolean
  /** Unchanged generation on create is 1; kinds without one (ConfigMap, Secret) leave it out. */
  readonly hasGeneration: boolean
  /** What a DELETE over the API without a propagation policy does to dependents. */
  readonly defaultPropagation: 'Background' | 'Orphan' | 'Unsupported'
  /** A write without a resourceVersion overwrites whatever is there; default true. */
  readonly unconditionalUpdate?: boolean
  /** All of them can be deleted in one request; default true. */
  readonly deletesCollection?: boolean
  /** A delete answers with the object instead of a Status. */
  readonly returnsDeleted?: boolean
  /** Finalizers may be called as one likes; else they are qualified names or the server's own. */
  readonly anyFinalizer?: boolean
  /** validateUpdate judges metadata anew itself, where the server does so in between. */
  readonly judgesMetadata?: boolean
  /** Besides `status`: `scale`, `eviction`, `binding`, `finalize`. */
  readonly subresources?: readonly string[]
  /** Where `scale` finds its numbers; default spec.replicas, status.replicas and spec.selector. */
  readonly scale?: ScalePaths
  /** False for kinds that refuse to be created by an update or apply (Pod status and the like). */
  readonly createsOnUpdate: boolean
  /** How the name is judged on create. */
  readonly nameRule: 'subdomain' | 'label' | 'label-1035' | 'path-segment'
  /** Fills in what the server fills in when it decodes; also on reads of what older servers stored. */
  defaults?(object: JsonObject, rules: Rules): JsonObject
  prepareForCreate?(object: KubeObject, rules: Rules): KubeObject
  /** Main resource: keeps the old status, resets what clients may not set. */
  prepareForUpdate?(next: KubeObject, old: KubeObject, rules: Rules): KubeObject
  /** Status subresource: everything but status stays as it was. */
  prepareForStatusUpdate?(next: KubeObject, old: KubeObject, rules: Rules): KubeObject
  validateCreate?(object: KubeObject, rules: Rules): readonly FieldError[]
  validateUpdate?(next: KubeObject, old: KubeObject, rules: Rules): readonly FieldError[]
  validateStatusUpdate?(next: KubeObject, old: KubeObject, rules: Rules): readonly FieldError[]
  /** `Warning` headers of a create or update. */
  warnings?(object: KubeObject, old: KubeObject | undefined, rules: Rules): readonly string[]
  /** Deletes of this kind that wait for somebody: seconds of grace (pods); undefined: at once. */
  graceSeconds?(object: KubeObject, asked: number | undefined): number | undefined
  /** What else a first delete writes: a Namespace's phase. */
  markDeleting?(object: KubeObject): KubeObject
  /** Something other than finalizers keeps a deleted object: a Namespace's spec.finalizers. */
  holdsDeletion?(object: KubeObject): boolean
  /** Names of fields for field selectors, besides metadata.name and metadata.namespace. */
  readonly fieldSelectors?: readonly string[]
  /** The values of those fields. */
  selectableFields?(object: KubeObject): { readonly [field: string]: string }
}

export interface ScalePaths {
  readonly specReplicas: Path
  readonly statusReplicas: Path
  readonly selector?: Path
}

/** The rules of one Kubernetes version: 29 to 37 for 1.29 to 1.37. */
export interface Rules {
  readonly minor: number
}

/**
 * field.Error of apimachinery: one complaint about one field. `field` as the server writes it
 * (`spec.template.spec.containers[0].name`, `metadata.labels`).
 */
export interface FieldError {
  readonly type:
    | 'Required'
    | 'Invalid'
    | 'NotSupported'
    | 'Forbidden'
    | 'TooLong'
    | 'TooMany'
    | 'Duplicate'
    | 'NotFound'
    | 'TypeInvalid'
    | 'InternalError'
  readonly field: string
  /** What stood there, for Invalid, NotSupported, Duplicate. */
  readonly value?: Json
  /** The value as Go writes it, where that is not its JSON: internal types, named types of text. */
  readonly rendered?: string
  readonly detail: string
}
