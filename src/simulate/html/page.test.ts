import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  everyMinute,
  history,
  hookRuns,
  life,
  manyLanes,
  ttlLoop,
} from '../../../test/simulate/histories.ts'
import type { History, Lane } from '../history/history.ts'
import { renderHtml } from './index.ts'
import { unpack } from './pack.ts'

const VOID = new Set('area base br col hr img input link meta wbr'.split(' '))

function render(one: History, sentence: string = 'runs often'): string {
  return renderHtml([{ title: 'A title', history: one }], { sentences: () => sentence })
}

/** Every element is closed in order; returns those that were opened, with their attributes. */
function elementsOf(
  html: string,
): readonly { readonly name: string; readonly attributes: string }[] {
  const found: { name: string; attributes: string }[] = []
  const open: string[] = []
  const tag = /<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>|<!doctype html>/g
  let at = 0
  for (const match of html.matchAll(tag)) {
    const inside = open.at(-1)
    if (inside === 'script' || inside === 'style') {
      if (match[1] !== '/' || match[2] !== inside) continue
    } else expect(html.slice(at, match.index)).not.toMatch(/[<>]/)
    at = match.index + match[0].length
    const [, slash, name = '', attributes = ''] = match
    if (name === '' || VOID.has(name)) {
      if (name !== '') found.push({ name, attributes })
      continue
    }
    if (slash === '/') expect(open.pop()).toBe(name)
    else {
      found.push({ name, attributes })
      if (!attributes.endsWith('/')) open.push(name)
    }
  }
  expect(open).toEqual([])
  return found
}

describe('the report', () => {
  it.each([
    ['a TTL loop', ttlLoop],
    ['hooks, outages and warnings', hookRuns],
    ['10,080 runs', everyMinute],
    ['200 lanes', () => manyLanes(200)],
    ['nothing at all', () => history(7, [])],
  ])('is well-formed for %s', (_, make) => {
    const names = elementsOf(render(make())).map(({ name }) => name)
    expect(names).toContain('main')
  })

  it('asks for nothing: no address in it but those of rule pages', () => {
    for (const { name, attributes } of elementsOf(render(hookRuns()))) {
      expect(attributes).not.toMatch(/\ssrc=|\saction=|srcset|url\(/)
      if (name === 'link' || name === 'img' || name === 'iframe') throw new Error(name)
      const href = /\shref="([^"]*)"/.exec(attributes)?.[1]
      if (href !== undefined) expect(href).toMatch(/^(?:#|docs\/engines\/)/)
    }
  })

  it('allows exactly the one script that it has', () => {
    const html = render(ttlLoop())
    const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ''
    const hash = createHash('sha256').update(script).digest('base64')
    expect(html).toContain(`script-src 'sha256-${hash}'`)
    expect(html).toContain("default-src 'none'")
    expect(html).not.toMatch(/\son[a-z]+=/)
  })

  it('says what was simulated, the sentence of each Job, and warnings before numbers', () => {
    const html = render(hookRuns(), 'runs at every sync')
    expect(html).toContain('<h1>A title</h1>')
    expect(html).toContain('realistic timing: jitter and latency drawn from seed 7')
    expect(html.match(/runs at every sync/g)).toHaveLength(5)
    expect(html.indexOf('class="warnings"')).toBeLessThan(html.indexOf('class="numbers"'))
  })

  it('counts runs, failures and Jobs that run more than once', () => {
    const html = render(hookRuns())
    expect(html).toContain('<dt>runs</dt><dd>13</dd>')
    expect(html).toContain('<dt>failed</dt><dd>3</dd>')
    expect(html).toContain('<dt>Job runs more than once</dt><dd>1</dd>')
    expect(render(everyMinute())).toContain('<dt>Jobs run more than once</dt><dd>0</dd>')
  })

  it('sets variants apart, each with its data', () => {
    const html = renderHtml(
      [
        { title: 'as it is', history: ttlLoop() },
        { title: 'with prune', history: hookRuns() },
      ],
      { sentences: () => '' },
    )
    elementsOf(html)
    expect(html).toContain('id="report-1"')
    expect(html).toContain('href="#report-1"')
    expect(html).toContain('id="history-1"')
  })

  it('puts lives and events in order of time before it draws them', () => {
    const one = ttlLoop()
    const lanes = one.lanes.map((lane) => ({ ...lane, lives: lane.lives.toReversed() }))
    const mixed = { ...one, lanes, happenings: one.happenings.toReversed() }
    expect(render(mixed).length).toBe(render(one).length)
  })

  it('shows a field to search only where there is much to find', () => {
    expect(render(ttlLoop())).not.toContain('type="search"')
    expect(render(manyLanes(13))).toContain('type="search"')
  })

  it('is open as a whole up to 60 lanes, and closed by engine above', () => {
    expect(render(manyLanes(60)).match(/<details class="group" open/g)).toHaveLength(6)
    expect(render(manyLanes(61))).not.toContain('<details class="group" open')
  })
})

describe('the size of the report', () => {
  it.each([
    ['a TTL loop', ttlLoop, 130_000],
    ['10,080 runs in one lane', everyMinute, 1_000_000],
    ['1,000 lanes', () => manyLanes(1000), 2_000_000],
  ])('is bounded for %s', (_, make, bytes) => {
    expect(render(make()).length).toBeLessThan(bytes)
  })
})

describe('names and messages of others', () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      '</script><script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onmouseover='alert(1)",
      '</style>',
      '<!--',
      '\u2028</sCript',
      '&lt;b&gt;',
      '`<b>`',
      '$&',
    ),
  )

  it('never become elements, attributes or script', () => {
    const plain = elementsOf(render(oddHistory('x'), 'x')).map(({ name }) => name)
    fc.assert(
      fc.property(odd, (text) => {
        const html = renderHtml([{ title: text, history: oddHistory(text) }], {
          sentences: () => text,
          version: text,
        })
        const elements = elementsOf(html)
        for (const { attributes } of elements) {
          // What stands in quotes is text; outside of them there are only our own names.
          expect(attributes.replace(/"[^"]*"/g, '')).not.toMatch(/\son|<|'/)
        }
        const names = elements.map(({ name }) => name)
        // Links and code in backticks are the only elements that a text may change.
        const ours = (list: readonly string[]): readonly string[] =>
          list.filter((name) => name !== 'a' && name !== 'code' && name !== 'span')
        expect(ours(names)).toEqual(ours(plain))
      }),
      { numRuns: 60 },
    )
  })

  it('come back from the data of the page as they were', () => {
    const text = '</script>\u2028<!--"\'&'
    const html = render(oddHistory(text))
    const data = /<script type="application\/json"[^>]*>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ''
    expect(unpack(JSON.parse(data)).lanes[0]?.name).toBe(text)
    expect(unpack(JSON.parse(data)).warnings[0]?.what).toBe(text)
  })

  function oddHistory(text: string): History {
    const run = life('a/b', 0)
    const odder = {
      ...run,
      name: text,
      namespace: text,
      image: text,
      cronJob: text === '' ? 'x' : text,
      created: run.created.map((step) => ({
        ...step,
        words: text,
        actor: text,
        rule: text,
        page: text,
      })),
    }
    const lane: Lane = {
      name: text,
      kind: 'Job',
      appliedBy: `Flux ${text}`,
      contract: text,
      schedule: text,
      lives: [odder],
    }
    const waiting: Lane = {
      name: text,
      kind: 'CronJob',
      appliedBy: `Flux ${text}`,
      lives: [],
      unknown: `x${text}`,
    }
    return history(1, [lane, waiting], {
      happenings: [
        { at: run.createdAt, row: text, kind: 'note', words: text, object: text, rule: text },
      ],
      warnings: [{ id: text, lanes: [text], what: text, why: text, remedy: text }],
    })
  }
})
