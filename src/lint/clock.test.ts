import { describe, expect, it } from 'vitest'
import { unsteadyPart } from './clock.ts'
import { expressionsIn, variablesOf } from './expressions.ts'

const MARKS = ['{{', '<<', '${'] as const

function kindOf(text: string, file = ''): string | undefined {
  const [expression] = expressionsIn(text, variablesOf(file, MARKS), MARKS)
  return expression === undefined ? undefined : unsteadyPart(expression)?.kind
}

describe('two renderings of the same inputs differ by', () => {
  it.each([
    ['{{ now | date "20060102" }}', 'clock'],
    ['{{ now | unixEpoch }}', 'clock'],
    ['<< now | date "150405" >>', 'clock'],
    // sprig takes the current time when it is given a text.
    ['{{ date "20060102" .Values.day }}', 'clock'],
    ['{{ .Release.Time.Seconds }}', 'clock'],
    ['{{ randAlphaNum 5 | lower }}', 'random'],
    ['{{ uuidv4 | trunc 8 }}', 'random'],
    ['{{ .Release.Revision }}', 'release'],
    ['{{ $.Release.IsUpgrade }}', 'release'],
    ['{{ (lookup "v1" "Secret" "a" "b").metadata.uid }}', 'cluster'],
    ['${GIT_SHA}', 'commit'],
    ['${BUILD_NUMBER:=0}', 'commit'],
  ])('%s', (text, kind) => {
    expect(kindOf(text)).toBe(kind)
  })

  it('a variable that holds the time', () => {
    expect(kindOf('{{ $stamp }}', '{{- $stamp := now | unixEpoch -}}')).toBe('clock')
  })
})

describe('nothing differs with', () => {
  it.each([
    '{{ .Values.now }}',
    '{{ .Release.Name }}',
    '{{ .Values.image.tag }}',
    '{{ include "shop.fullname" . }}',
    '{{ .Values.day | toDate "2006-01-02" | date "0102" }}',
    '{{ printf "now-%s" .Values.a }}',
    // A function of its seed.
    '${random.seededString(8, schema.spec.image)}',
    '${CLUSTER_NAME}',
    '${TIMEOUT}',
    '${IMAGE_SHA}',
    '${CONFIG_DATE}',
  ])('%s', (text) => {
    expect(kindOf(text)).toBeUndefined()
  })
})
