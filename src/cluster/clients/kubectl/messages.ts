import { isList, isObject, objectAt, stringAt } from '../../../core/json.ts'
import type { Answer, Status } from '../../api/request.ts'

/** What went wrong, as kubectl carries it to the end of its run. */
export interface KubectlError {
  /** The server's answer, untouched: kubectl tells `invalid` apart from other refusals. */
  readonly status?: Status
  /** Set when words were put before the server's message. */
  readonly message: string
}

export function errorOf(answer: Answer): KubectlError {
  const status = answer.body as Status
  return { status, message: status.message ?? '' }
}

/** Words before the error: `error when creating "STDIN": ...`; the reason is kept. */
export function withSource({ status, message }: KubectlError, what: string): KubectlError {
  const text = `error when ${what}: ${message}`
  if (status === undefined) return { message: text }
  return { status: { ...status, message: text }, message: text }
}

/** The text on stderr, without a line end. */
export function printError({ status, message }: KubectlError): string {
  if (status === undefined) return message.startsWith('error: ') ? message : `error: ${message}`
  if (status.reason === 'Invalid') return printInvalid(status)
  if (status.reason === undefined || status.reason === '') return `Error from server: ${message}`
  return `Error from server (${status.reason}): ${message}`
}

function printInvalid(status: Status): string {
  const details = objectAt(status, ['details'])
  if (details === undefined) return `The request is invalid: ${status.message ?? ''}`
  const kind = stringAt(details, ['kind']) ?? ''
  const name = stringAt(details, ['name']) ?? ''
  const head = `The ${kind} "${name}" is invalid`
  const causes = isList(details['causes']) ? details['causes'].filter(isObject) : []
  const lines = [
    ...new Set(
      causes.map((cause) => {
        return `${stringAt(cause, ['field']) ?? ''}: ${stringAt(cause, ['message']) ?? ''}`
      }),
    ),
  ]
  if (lines.length === 0) return head
  if (lines.length === 1) return `${head}: ${lines[0] ?? ''}`
  return `${head}: \n${lines.map((line) => `* ${line}`).join('\n')}`
}

export const CONFLICT_HELP = `
Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts`

export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

export function noLastApplied(resource: string, name: string): string {
  return (
    `Warning: resource ${resource}/${name} is missing the ${LAST_APPLIED} annotation which is ` +
    'required by kubectl apply. kubectl apply should only be used on resources created ' +
    'declaratively by either kubectl create --save-config or kubectl apply. The missing ' +
    'annotation will be patched automatically.'
  )
}

export function isDeletingWarning(name: string): string {
  return `Warning: Detected changes to resource ${name} which is currently being deleted.`
}
