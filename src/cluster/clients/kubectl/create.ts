import { objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { succeeded } from '../../api/request.ts'
import { optionsOf } from './apply.ts'
import { errorOf, withSource } from './messages.ts'
import type { StepInput, StepResult } from './run.ts'
import { folderOf, isTarget, nameOf, printed, targetOf, type Target } from './target.ts'

const MANAGER = 'kubectl-create'

/** `kubectl create -f`. */
export function createOne(input: StepInput): StepResult {
  const target = targetOf(input)
  if (!isTarget(target)) return { kind: 'failed', error: target }
  return send(input, target)
}

/** `kubectl create job NAME --from=cronjob/X` and `--image=I`. */
export function createFrom(input: StepInput): StepResult {
  const { command, io, namespace } = input
  const [what, name] = command.args
  if (what !== 'job' || name === undefined) {
    return { kind: 'failed', error: { message: `kubectl create ${what ?? ''} is not modelled` } }
  }
  const metadata = { name, namespace }
  const image = command.flags['image']
  if (image !== undefined) {
    const containers = [{ name, image, resources: {} }]
    const template = { metadata: {}, spec: { containers, restartPolicy: 'Never' } }
    const object = { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { template } }
    return sendAs(input, object)
  }
  const [, cronJobName = ''] = (command.flags['from'] ?? '').split('/')
  const resource = { group: 'batch', version: 'v1', resource: 'cronjobs' }
  const got = io.request({ verb: 'get', user: 'kubectl', resource, namespace, name: cronJobName })
  if (!succeeded(got)) return { kind: 'failed', error: errorOf(got) }
  return sendAs(input, jobFrom(got.body, name, namespace))
}

/** The Job has the CronJob as its controller, yet is not in the CronJob's list of active Jobs. */
function jobFrom(cronJob: JsonObject, name: string, namespace: string): JsonObject {
  const template = objectAt(cronJob, ['spec', 'jobTemplate'])
  const annotations = {
    ...objectAt(template, ['metadata', 'annotations']),
    'cronjob.kubernetes.io/instantiate': 'manual',
  }
  const labels = objectAt(template, ['metadata', 'labels'])
  const owner = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    name: stringAt(cronJob, ['metadata', 'name']) ?? '',
    uid: stringAt(cronJob, ['metadata', 'uid']) ?? '',
    controller: true,
  }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace,
      annotations,
      ...(labels === undefined ? {} : { labels }),
      ownerReferences: [owner],
    },
    spec: objectAt(template, ['spec']) ?? {},
  }
}

function sendAs(input: StepInput, object: JsonObject): StepResult {
  const target = targetOf({ ...input, object })
  if (!isTarget(target)) return { kind: 'failed', error: target }
  return send(input, target, 'failed to create job')
}

function send(input: StepInput, target: Target, failure?: string): StepResult {
  if (input.dryRun === 'client') {
    return { kind: 'done', out: printed(target, target.name, 'created', input) }
  }
  const place = folderOf(target)
  const answer = input.io.request({
    verb: 'create',
    user: 'kubectl',
    ...place,
    body: target.object,
    options: { ...optionsOf(input), fieldManager: input.command.flags['field-manager'] ?? MANAGER },
  })
  if (!succeeded(answer)) {
    const error = errorOf(answer)
    if (failure === undefined)
      return { kind: 'failed', error: withSource(error, 'creating "STDIN"') }
    return { kind: 'failed', error: { message: `${failure}: ${error.message}` } }
  }
  const warnings = answer.warnings.map((text) => `Warning: ${text}`)
  return { kind: 'done', out: printed(target, nameOf(answer), 'created', input), warnings }
}
