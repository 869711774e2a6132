import { applyEdits, sortEdits, type Edit } from '../core/edits.ts'
import { Fault } from '../core/faults.ts'
import { isObject, listAt, objectAt, stringAt, type Json, type JsonObject } from '../core/json.ts'
import { outermost, type Place, type Source } from '../core/source.ts'
import type { YamlDocument } from '../core/yaml/document.ts'
import { asUtf8 } from '../core/yaml/utf16.ts'
import { optionsOfFunctionConfig } from './krm-config.ts'
import { readerOf } from './parts.ts'
import { stamp } from './stamp.ts'
import type { StampOptions, StampResult } from './stamp-types.ts'
import { resultsEdit } from './write/results.ts'

export interface KrmOutcome {
  /** What the function writes to its standard output, also when it failed. */
  readonly bytes: Uint8Array
  /** The function must end with an exit code other than 0. */
  readonly isFailed: boolean
  readonly results: readonly KrmResult[]
  readonly needsFullParser: boolean
  /** Undefined when the input was not what a function is given. */
  readonly stamped: StampResult | undefined
}

/** An item of `results`, as the function specification has it. */
export interface KrmResult {
  readonly message: string
  readonly severity: 'error' | 'warning' | 'info'
  readonly resourceRef?: JsonObject
  readonly file?: JsonObject
}

/**
 * A KRM function (config.kubernetes.io/v1): a ResourceList in, the same ResourceList out, with the
 * items stamped and `results` filled. `functionConfig` may hold options of stamp. When something
 * is refused the items come back as they were, with the reasons in `results`.
 */
export function stampResourceList(source: Source, given: StampOptions = {}): KrmOutcome {
  const text = asUtf8(source)
  const reading = readerOf(given).read(text)
  if (reading.needsFullParser === true) return { ...failed(source, []), needsFullParser: true }
  const [document] = reading.documents
  const list = document?.value()
  if (document === undefined || !isObject(list) || list['kind'] !== 'ResourceList') {
    const error = reading.errors[0]?.what ?? 'the input is no ResourceList'
    return failed(source, [{ message: error, severity: 'error' }])
  }
  try {
    const options = optionsOfFunctionConfig(list['functionConfig'], { rendered: true, ...given })
    return outcomeOf(source, document, stamp([source], options))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const message = `${error.message}: ${error.why}. ${error.remedy}`
    return withResults(source, document, [{ message, severity: 'error' }], undefined)
  }
}

function outcomeOf(source: Source, document: YamlDocument, stamped: StampResult): KrmOutcome {
  const items = itemSpans(document)
  const results = resultsOf(stamped).map(({ place, ...result }) => ({
    ...result,
    ...aboutItem(items, place),
  }))
  return withResults(source, document, results, stamped)
}

function withResults(
  source: Source,
  document: YamlDocument,
  results: readonly KrmResult[],
  stamped: StampResult | undefined,
): KrmOutcome {
  const list = document.value()
  const before = isObject(list) ? listAt(list, ['results']) : []
  const edits: Edit[] = [...(stamped?.files[0]?.edits ?? [])]
  if (results.length > 0) edits.push(...resultsEdit(document, [...before, ...results.map(asJson)]))
  return {
    bytes: applyEdits(source.bytes, sortEdits(edits)),
    isFailed: results.some(({ severity }) => severity === 'error'),
    results,
    needsFullParser: false,
    stamped,
  }
}

function asJson(result: KrmResult): Json {
  return { ...result }
}

function failed(source: Source, results: readonly KrmResult[]): KrmOutcome {
  return {
    bytes: source.bytes,
    isFailed: true,
    results,
    needsFullParser: false,
    stamped: undefined,
  }
}

type PlacedResult = KrmResult & { readonly place: Place }

function resultsOf({ faults, findings, notes, objects }: StampResult): readonly PlacedResult[] {
  const isDone = faults.length === 0
  const renamed = isDone ? objects.filter(({ name, newName }) => name !== newName) : []
  return [
    ...faults.map(({ place, object, what, why, remedy }): PlacedResult => ({
      place,
      severity: 'error',
      message: `${object === undefined ? '' : `${object}: `}${what}: ${why}. Remedy: ${remedy}`,
    })),
    ...findings.map(({ place, what, why, remedy }): PlacedResult => ({
      place,
      severity: 'warning',
      message: `${what}; ${why}. Remedy: ${remedy}`,
    })),
    ...notes.map(({ place, object, severity, text, remedy }): PlacedResult => ({
      place,
      severity,
      message: `${object}: ${text}. Remedy: ${remedy}`,
    })),
    ...renamed.map(({ place, kind, name, newName }): PlacedResult => ({
      place,
      severity: 'info',
      message: `${kind} ${name ?? '(generateName)'} is now called ${newName}`,
    })),
  ]
}

interface ItemSpan {
  readonly start: number
  readonly end: number
  readonly object: JsonObject
}

function itemSpans(document: YamlDocument): readonly ItemSpan[] {
  const list = document.value()
  if (!isObject(list)) return []
  return listAt(list, ['items']).flatMap((object, index) => {
    const span = document.locate(['items', index])?.value
    return span === undefined || !isObject(object) ? [] : [{ ...span, object }]
  })
}

/** The object and the file that a place belongs to, as kustomize and kpt note them. */
function aboutItem(
  items: readonly ItemSpan[],
  place: Place,
): Pick<KrmResult, 'resourceRef' | 'file'> {
  const { start } = outermost(place).span
  const object = items.find((item) => start >= item.start && start < item.end)?.object
  if (object === undefined) return {}
  const namespace = stringAt(object, ['metadata', 'namespace'])
  const resourceRef = {
    apiVersion: stringAt(object, ['apiVersion']) ?? '',
    kind: stringAt(object, ['kind']) ?? '',
    name: stringAt(object, ['metadata', 'name']) ?? '',
    ...(namespace === undefined ? {} : { namespace }),
  }
  const annotations = objectAt(object, ['metadata', 'annotations']) ?? {}
  const note = (name: string): string | undefined =>
    stringAt(annotations, [`internal.config.kubernetes.io/${name}`]) ??
    stringAt(annotations, [`config.kubernetes.io/${name}`])
  const path = note('path')
  const index = Number(note('index') ?? Number.NaN)
  if (path === undefined) return { resourceRef }
  return { resourceRef, file: Number.isInteger(index) ? { path, index } : { path } }
}
