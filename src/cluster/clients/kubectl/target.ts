import { objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Kind } from '../../api/kind.ts'
import type { Answer, Request } from '../../api/request.ts'
import { printedKind } from '../discovery.ts'
import { dryRunWords } from './dry-run.ts'
import type { KubectlError } from './messages.ts'
import type { StepInput } from './run.ts'

/** One object of a file: its kind as the server knows it, and where it goes. */
export interface Target {
  readonly kind: Kind
  readonly namespace: string | undefined
  readonly name: string
  /** With the namespace that kubectl fills in. */
  readonly object: JsonObject
}

export function targetOf({ object, namespace, discovery }: StepInput): Target | KubectlError {
  const apiVersion = stringAt(object, ['apiVersion']) ?? ''
  const word = stringAt(object, ['kind']) ?? ''
  const kind = discovery.byKind(apiVersion, word)
  if (kind === undefined) {
    const message =
      `resource mapping not found for name: "${stringAt(object, ['metadata', 'name']) ?? ''}" ` +
      `namespace: "" from "STDIN": no matches for kind "${word}" in version "${apiVersion}"\n` +
      'ensure CRDs are installed first'
    return { message }
  }
  const name = stringAt(object, ['metadata', 'name']) ?? ''
  if (!kind.namespaced) return { kind, namespace: undefined, name, object }
  const own = stringAt(object, ['metadata', 'namespace']) ?? namespace
  const metadata = { ...objectAt(object, ['metadata']), namespace: own }
  return { kind, namespace: own, name, object: { ...object, metadata } }
}

export function isTarget(found: Target | KubectlError): found is Target {
  return 'kind' in found
}

/** `job.batch/one configured (server dry run)`. */
export function printed({ kind }: Target, name: string, verb: string, input: StepInput): string {
  return `${printedKind(kind)}/${name} ${verb}${dryRunWords(input.dryRun)}`
}

export function placeOf({
  kind,
  namespace,
  name,
}: Target): Pick<Request, 'resource' | 'namespace' | 'name'> {
  const resource = { group: kind.group, version: kind.version, resource: kind.resource }
  return namespace === undefined ? { resource, name } : { resource, namespace, name }
}

/** Where an object of this kind is created. */
export function folderOf(target: Target): Pick<Request, 'resource' | 'namespace'> {
  const { name: _, ...folder } = placeOf(target)
  return folder
}

export function nameOf(answer: Answer): string {
  return stringAt(answer.body, ['metadata', 'name']) ?? ''
}
