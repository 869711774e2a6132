import { describe, expect, it } from 'vitest'
import { actionsOf, isTemplated, literalParts } from './templates.ts'

describe('templated text', () => {
  it.each([
    ['Helm', '{{ .Release.Name }}-migrate', ['', '-migrate'], ['{{ .Release.Name }}']],
    ['ResourceSet', 'db-<< inputs.tenant >>', ['db-', ''], ['<< inputs.tenant >>']],
    ['kro', '${schema.spec.name}-starter', ['', '-starter'], ['${schema.spec.name}']],
    ['Flux substitution', 'kernel-${TAG:=6.1}', ['kernel-', ''], ['${TAG:=6.1}']],
    ['scaffolding', 'env-${{values.name}}-a', ['env-', '-a'], ['${{values.name}}']],
    ['two actions', '{{ .a }}{{ .b }}', ['', '', ''], ['{{ .a }}', '{{ .b }}']],
  ])('is cut into what stays and what does not: %s', (_, text, literal, actions) => {
    expect(isTemplated(text)).toBe(true)
    expect(literalParts(text)).toEqual(literal)
    expect(actionsOf(text)).toEqual(actions)
  })

  it.each(['migrate', '$HOME', '{x}', '<nil>', '', '}}{{'])('is not %j', (text) => {
    expect(isTemplated(text)).toBe(false)
    expect(literalParts(text)).toEqual([text])
  })

  it('is text only', () => {
    expect(isTemplated(3)).toBe(false)
    expect(isTemplated(undefined)).toBe(false)
  })

  it('stays the same answer when asked twice', () => {
    expect([isTemplated('{{ x }}'), isTemplated('{{ x }}')]).toEqual([true, true])
  })
})
