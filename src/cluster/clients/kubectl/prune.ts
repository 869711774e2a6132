import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../actor.ts'
import type { KubeList } from '../../api/request.ts'
import { succeeded } from '../../api/request.ts'
import type { Discovery } from '../discovery.ts'
import { apiVersionOf } from '../../api/registry.ts'
import { printedKind } from '../discovery.ts'
import type { KubectlCommand } from './command.ts'
import { LAST_APPLIED, errorOf } from './messages.ts'
import type { StepResult } from './run.ts'

interface PruneInput {
  readonly command: KubectlCommand
  readonly objects: readonly JsonObject[]
  readonly namespace: string
  readonly io: Io<unknown>
  readonly discovery: Discovery
}

/**
 * `apply --prune -l`: of the kinds on the allowlist, deletes Background what has the labels and was
 * applied client-side before, and is not in the files.
 */
export function prune(input: PruneInput): StepResult {
  const { command, io, namespace, discovery } = input
  const lines: string[] = []
  for (const entry of (command.flags['prune-allowlist'] ?? 'batch/v1/Job').split(',')) {
    const parts = entry.split('/')
    const word = parts.pop() ?? ''
    const kind = discovery.byKind(parts.filter((part) => part !== 'core').join('/'), word)
    if (kind === undefined) continue
    const resource = { group: kind.group, version: kind.version, resource: kind.resource }
    const selector = command.flags['selector']
    const answer = io.request({
      verb: 'list',
      user: 'kubectl',
      resource,
      ...(kind.namespaced ? { namespace } : {}),
      options: selector === undefined ? {} : { labelSelector: selector },
    })
    if (!succeeded(answer)) return { kind: 'failed', error: errorOf(answer) }
    for (const object of (answer.body as unknown as KubeList).items) {
      const { name } = object.metadata
      const isDeclared = input.objects.some(
        (one) =>
          stringAt(one, ['apiVersion']) === apiVersionOf(kind) &&
          stringAt(one, ['kind']) === kind.kind &&
          stringAt(one, ['metadata', 'name']) === name,
      )
      if (isDeclared || object.metadata.annotations?.[LAST_APPLIED] === undefined) continue
      const place = kind.namespaced ? { resource, namespace, name } : { resource, name }
      const options = { propagationPolicy: 'Background' } as const
      const deleted = io.request({ verb: 'delete', user: 'kubectl', ...place, options })
      if (!succeeded(deleted)) return { kind: 'failed', error: errorOf(deleted) }
      lines.push(`${printedKind(kind)}/${name} pruned`)
    }
  }
  return lines.length === 0 ? { kind: 'done' } : { kind: 'done', out: lines.join('\n') }
}
