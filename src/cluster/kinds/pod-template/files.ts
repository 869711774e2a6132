import type { JsonObject } from '../../../core/json.ts'
import { type Complaints, givenNumber, objectOf, textOf } from '../complaints.ts'
import { checkFieldRef, checkResourceFieldRef, VOLUME_FIELDS } from './env.ts'
import { checkNotReserved } from './paths.ts'

const FILE_MODE = 'must be a number between 0 and 0777 (octal), both inclusive'

export function checkMode(out: Complaints, owner: JsonObject, field: string, path: string): void {
  const mode = givenNumber(owner, field)
  if (mode !== undefined && (mode < 0 || mode > 0o777)) {
    out.invalid(`${path}.${field}`, mode, FILE_MODE)
  }
}

export function checkKeyToPath(out: Complaints, item: JsonObject, path: string): void {
  if (textOf(item, 'key') === '') out.required(`${path}.key`)
  const file = textOf(item, 'path')
  if (file === '') out.required(`${path}.path`)
  checkNotReserved(out, file, `${path}.path`)
  checkMode(out, item, 'mode', path)
}

export function checkDownwardFile(out: Complaints, item: JsonObject, path: string): void {
  const file = textOf(item, 'path')
  if (file === '') out.required(`${path}.path`)
  checkNotReserved(out, file, `${path}.path`)
  const fieldRef = objectOf(item, 'fieldRef')
  const resourceRef = objectOf(item, 'resourceFieldRef')
  if (fieldRef !== undefined) {
    checkFieldRef(out, fieldRef, `${path}.fieldRef`, VOLUME_FIELDS)
    if (resourceRef !== undefined) {
      const detail = 'fieldRef and resourceFieldRef can not be specified simultaneously'
      out.invalid(path, 'resource', detail)
    }
  } else if (resourceRef !== undefined) {
    checkResourceFieldRef(out, resourceRef, `${path}.resourceFieldRef`, true)
  } else out.required(path, 'one of fieldRef and resourceFieldRef is required')
  checkMode(out, item, 'mode', path)
}
