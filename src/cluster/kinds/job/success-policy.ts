import type { JsonObject } from '../../../core/json.ts'
import { byteLength } from '../../../core/text.ts'
import { type Complaints, givenNumber, givenText, objectOf, objectsOf } from '../complaints.ts'
import { readIndexes } from './indexes.ts'

const MOST_RULES = 20
const LONGEST_INDEXES = 64 * 1024

export function checkSuccessPolicy(out: Complaints, spec: JsonObject, path: string): void {
  const rules = objectsOf(objectOf(spec, 'successPolicy'), 'rules')
  const here = `${path}.rules`
  if (rules.length === 0) {
    const detail = 'at least one rules must be specified when the successPolicy is specified'
    out.required(here, detail)
  }
  if (rules.length > MOST_RULES) out.tooMany(here, rules.length, MOST_RULES)
  const completions = givenNumber(spec, 'completions') ?? 0
  rules.forEach((rule, at) => checkRule(out, rule, `${here}[${at}]`, completions))
}

function checkRule(out: Complaints, rule: JsonObject, path: string, completions: number): void {
  const indexes = givenText(rule, 'succeededIndexes')
  const count = givenNumber(rule, 'succeededCount')
  if (indexes === undefined && count === undefined) {
    const detail = 'at least one of succeededCount or succeededIndexes must be specified'
    out.required(path, detail)
  }
  let total = 0
  if (indexes !== undefined) {
    const here = `${path}.succeededIndexes`
    if (byteLength(indexes) > LONGEST_INDEXES) out.tooLong(here, LONGEST_INDEXES)
    const read = readIndexes(indexes, completions)
    if (typeof read === 'number') total = read
    else out.invalid(here, indexes, `error parsing succeededIndexes: ${read}`)
  }
  if (count === undefined) return
  const here = `${path}.succeededCount`
  out.nonNegative(here, count)
  const atMost = (most: number, what: string): void => {
    if (count > most) out.invalid(here, count, `must be less than or equal to ${most} (${what})`)
  }
  atMost(completions, 'the number of specified completions')
  if (indexes === undefined) return
  atMost(total, 'the number of indexes in the specified succeededIndexes field')
}
