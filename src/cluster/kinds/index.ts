import type { Kind } from '../api/kind.ts'
import { admissionPolicyKinds } from './admission-policies.ts'
import { configmap } from './configmap.ts'
import { cronjob } from './cronjob.ts'
import { customresourcedefinition } from './custom-resource-definition.ts'
import { daemonset } from './daemonset.ts'
import { deployment } from './deployment.ts'
import { event } from './event.ts'
import { job } from './job.ts'
import { lease } from './lease.ts'
import { namespace } from './namespace.ts'
import { pod } from './pod.ts'
import { replicaset } from './replicaset.ts'
import { resourcequota } from './resourcequota.ts'
import { secret } from './secret.ts'
import { service } from './service.ts'
import { serviceaccount } from './serviceaccount.ts'
import { statefulset } from './statefulset.ts'

/** Every kind that the model knows without a CustomResourceDefinition. One line each. */
export const defaultKinds: readonly Kind[] = [
  namespace,
  configmap,
  secret,
  serviceaccount,
  service,
  event,
  lease,
  pod,
  job,
  cronjob,
  deployment,
  replicaset,
  statefulset,
  daemonset,
  customresourcedefinition,
  resourcequota,
  ...admissionPolicyKinds,
]
