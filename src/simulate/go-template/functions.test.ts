import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { renderChart } from './chart.ts'
import { liveFunctions } from './live.ts'
import { HELM_FUNCTIONS } from './signatures.ts'

/** Answers of the real Helm; `node scripts/record-go-template.mjs HELM` records them anew. */
interface Row {
  readonly template: string
  readonly text?: string
  readonly error?: string
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(`fixtures/go-template/${name}`, 'utf8')) as unknown
const { rows } = read('answers.json') as { readonly rows: readonly Row[] }
const { files } = read('chart.json') as { readonly files: { readonly [path: string]: string } }

function rendered(template: string, at: number): { text?: string; fault?: string } {
  const name = `case-${String(at).padStart(3, '0')}.yaml`
  const wrapped = `{{ define "${name}" }}${template}{{ end }}{{ include "${name}" . | toRawJson }}`
  const found = renderChart(
    {
      ...files,
      'templates/_t1.tpl': '{{ define "t1" }}[{{ . }}]{{ end }}',
      [`templates/${name}`]: wrapped,
    },
    {},
    {
      name: 'rel',
      namespace: 'shop',
      revision: 1,
      isInstall: true,
      kubeVersion: 'v1.36.3',
      functions: liveFunctions({ now: Date.UTC(2026, 0, 1), chance: () => 0.5 }),
    },
  )
  if ('fault' in found) return found
  return { text: JSON.parse(found.files[0]?.text ?? '""') as string }
}

/** What is known to differ, and why. */
const DIFFERENT: { readonly [start: string]: string } = {
  '{{ kindOf (int64 1) }}': 'int and int64 are one kind here',
  '{{ printf "%.3g': 'numbered operands of printf are not read',
}

/** Random, from a network, or of a library that is not modelled: `live.test.ts` has those of chance. */
const WITHOUT_ANSWER = new Set([
  'call',
  'ago',
  'shuffle',
  'toToml',
  'fromToml',
  'mustToToml',
  'toYamlPretty',
  'mustToYaml',
  'bcrypt',
  'htpasswd',
  'genPrivateKey',
  'derivePassword',
  'buildCustomCert',
  'genCA',
  'genCAWithKey',
  'genSelfSignedCert',
  'genSelfSignedCertWithKey',
  'genSignedCert',
  'genSignedCertWithKey',
  'encryptAES',
  'decryptAES',
  'randAlphaNum',
  'randAlpha',
  'randAscii',
  'randNumeric',
  'randBytes',
  'randInt',
  'uuidv4',
  'date_in_zone',
  'date_modify',
  'must_date_modify',
  'mustToDate',
])

describe('templates as the real Helm renders them', () => {
  it.each(rows.map((row, at) => ({ ...row, at })))('$template', ({ template, text, error, at }) => {
    const isDifferent = Object.keys(DIFFERENT).some((start) => template.startsWith(start))
    const ours = rendered(template, at)
    if (isDifferent) expect(ours).not.toEqual({ text })
    else if (error === undefined) expect(ours).toEqual({ text })
    else expect(ours.fault).toMatch(/case-\d+\.yaml/)
  })

  it.each([...HELM_FUNCTIONS].filter((name) => !WITHOUT_ANSWER.has(name)))(
    'has an answer for %s',
    (name) => {
      const called = new RegExp(`[{(| ]${name}\\b`)
      expect(rows.some(({ template }) => called.test(template))).toBe(true)
    },
  )
})
