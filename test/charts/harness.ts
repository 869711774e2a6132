import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { loadFullParser } from '../../src/adapters/full-parser.ts'
import { canonicalJson } from '../../src/core/canonical-json.ts'
import { listAt, stringAt, type Json } from '../../src/core/json.ts'
import { readFile } from '../../src/core/yaml/read-file.ts'
import { problemLine } from '../../src/render/problems.ts'
import { render } from '../../src/render/render.ts'
import { runOracle } from '../oracles.ts'
import type { Case } from './arbitrary.ts'

export const CHART = 'charts/semel-jobs'

/** What one case gives: objects in their canonical form, or what is wrong, with the remedies. */
export interface Answer {
  readonly objects: readonly string[]
  readonly problems: readonly string[]
}

const made: string[] = []
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

export function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'semel-chart-'))
  made.push(folder)
  return folder
}

/** Of `semel render`; JSON forgets what is undefined. */
export function ourAnswer({ values, options }: Case): Answer {
  const { configMaps, objects, problems } = render(values, options)
  return {
    objects: [...configMaps, ...objects.map(({ object }) => object)].map(canonicalJson),
    problems: problems.map((one) => `${problemLine(one)}\n${one.remedy}`),
  }
}

/** Of the chart's templates under a real Helm, for many cases in few runs. */
export async function chartAnswers(
  helm: string,
  cases: readonly Case[],
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (let at = 0; at < cases.length; at += RUN_SIZE) {
    answers.push(...(await answersOf(helm, cases.slice(at, at + RUN_SIZE))))
  }
  return answers
}

/** An oracle has to end within its time limit, also on a slow machine. */
const RUN_SIZE = 150

async function answersOf(helm: string, cases: readonly Case[]): Promise<readonly Answer[]> {
  const folder = newFolder()
  cpSync(CHART, folder, { recursive: true })
  rmSync(path.join(folder, 'values.schema.json'))
  rmSync(path.join(folder, 'templates/NOTES.txt'))
  writeFileSync(path.join(folder, 'templates/jobs.yaml'), ALL_CASES)
  const file = path.join(folder, 'cases.json')
  writeFileSync(file, yamlSafe(JSON.stringify({ cases })))
  const { stdout } = await runOracle(helm, ['template', 'cases', folder, '-f', file])
  const [document] = await documentsOf(stdout)
  return listAt(document, ['cases']).map((answer) => ({
    objects: listAt(answer, ['objects']).map(canonicalJson),
    problems: listAt(answer, ['problems']).map(String),
  }))
}

/** As Kubernetes reads them. */
export async function documentsOf(text: string): Promise<readonly Json[]> {
  const source = { path: 'helm', bytes: new TextEncoder().encode(text) }
  const wanted = { all: true, needles: [] }
  const fullParser = await loadFullParser()
  const { documents, errors } = readFile(source, { wanted, fullParser })
  const [first] = errors
  if (first !== undefined) throw new Error(first.what)
  return documents.map((one) => one.value()).filter((value) => value !== null)
}

export function nameOf(object: Json): string {
  return stringAt(object, ['metadata', 'name']) ?? ''
}

/** JSON of which a YAML reader takes each sign: control signs are escaped, pairs are not. */
function yamlSafe(json: string): string {
  return json.replaceAll(/[\u007f-\ud7ff\ue000-\uffff]/g, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

const ALL_CASES = `kind: Cases
{{- $order := include "semel-jobs.order" nil | fromJson }}
{{- $cache := dict }}
cases:
{{- range .Values.cases }}
{{- $made := dict }}
{{- $options := .options }}
{{- template "semel-jobs.make" (dict "values" .values "release" $options.release "engine" ($options.engine | default "any") "tagPolicy" ($options.tagPolicy | default "warn") "configMaps" $options.configMaps "sharedValues" $options.sharedValues "out" $made) }}
{{- $problems := list }}
{{- range $made.problems }}{{ $problems = append $problems (printf "%s\\n%s" (include "semel-jobs.line" .) .remedy) }}{{ end }}
- problems:
    {{ include "semel-jobs.yaml" (dict "v" $problems "margin" "    ") }}
  objects:
    {{ include "semel-jobs.yaml" (dict "v" $made.objects "margin" "    " "order" $order "cache" $cache) }}
{{- end }}
`
