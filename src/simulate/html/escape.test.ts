import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeHtml, pageHref, scriptJson } from './escape.ts'

const odd = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '</script>',
    '<!--',
    ']]>',
    '\u2028',
    "' onx='1",
    '" onx="1',
    '&lt;',
    '\u202e',
    '\0',
  ),
)

describe('text in the page', () => {
  it('holds no sign that HTML takes for its own', () => {
    fc.assert(
      fc.property(odd, (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/)
      }),
    )
  })

  it('shows what cannot be seen, or would turn the text around, as a replacement', () => {
    expect(escapeHtml('a\u202eb\0c\u0085')).toBe('a\ufffdb\ufffdc\ufffd')
    expect(escapeHtml('\ud800x')).toBe('\ufffdx')
    expect(escapeHtml('prüfen 😀\n')).toBe('prüfen 😀\n')
  })
})

describe('JSON in a script element', () => {
  it('can neither close the element nor begin a comment, and reads back the same', () => {
    fc.assert(
      fc.property(fc.array(odd), (texts) => {
        const json = scriptJson(texts)
        expect(json).not.toMatch(/[<>&\u2028\u2029]/)
        expect(JSON.parse(json)).toEqual(texts)
      }),
    )
  })
})

describe('the address of a rule page', () => {
  it.each([
    ['docs/', 'engines/flux.md#f-3', 'docs/engines/flux.md#f-3'],
    ['docs', 'docs/engines/flux.md', 'docs/engines/flux.md'],
    ['https://example.org/semel', 'engines/kro.md', 'https://example.org/semel/engines/kro.md'],
    ['../docs/', 'engines/kro.md', '../docs/engines/kro.md'],
  ])('below %s of %s is %s', (docs, page, href) => {
    expect(pageHref(docs, page)).toBe(href)
  })

  it.each([
    ['docs/', 'https://example.org/x'],
    ['docs/', '//example.org/x'],
    ['docs/', 'javascript:alert(1)'],
    ['docs/', '../../etc/passwd'],
    ['docs/', 'a b'],
    ['javascript:alert(1)//', 'engines/kro.md'],
    ['data:text/html,', 'engines/kro.md'],
  ])('is none for %s and %s', (docs, page) => {
    expect(pageHref(docs, page)).toBeUndefined()
  })
})
