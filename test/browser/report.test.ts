import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { History } from '../../src/simulate/history/history.ts'
import { renderHtml } from '../../src/simulate/html/index.ts'
import { everyMinute, hookRuns, manyLanes, ttlLoop } from '../simulate/histories.ts'
import { chromiumPath, openPage, type Page } from './chromium.ts'

const program = chromiumPath()
const isCi = process.env['CI'] !== undefined
const SHIFT = 8

if (program === undefined && isCi) {
  it('the report in a browser: needs Chromium, which is not installed', () => {
    expect.fail('install Chromium (Debian: apt-get install chromium), or name it in SEMEL_CHROMIUM')
  })
}

const title =
  program === undefined
    ? 'the report in a browser (not run: no Chromium on this machine)'
    : 'the report in a browser'

describe.skipIf(program === undefined)(title, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'semel-report-'))
  let page: Page

  beforeAll(async () => {
    page = await openPage(program ?? '')
    await page.send('Emulation.setDeviceMetricsOverride', {
      width: 1280,
      height: 1400,
      deviceScaleFactor: 1,
      mobile: false,
    })
  })

  afterAll(async () => {
    await page.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function show(...histories: readonly History[]): Promise<void> {
    const file = path.join(folder, 'report.html')
    const titled = histories.map((history, at) => ({ title: `Variant ${at}`, history }))
    writeFileSync(file, renderHtml(titled, { sentences: ({ name }) => `${name} runs` }))
    await page.open(pathToFileURL(file).href)
    await page.settle()
  }

  const text = (selector: string): Promise<string> =>
    page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`)
  const number = (expression: string): Promise<number> => page.evaluate(expression)
  const focused = (): Promise<string> =>
    page.evaluate(`document.activeElement?.getAttribute('aria-label') ?? ''`)
  const isCardShown = (): Promise<boolean> =>
    page.evaluate(`!document.querySelector('.card').hidden`)
  const focusFirst = async (): Promise<void> => {
    await page.evaluate(`document.querySelector('.mark[tabindex="0"]').focus()`)
    await page.settle()
  }
  async function middleOf(selector: string): Promise<{ x: number; y: number }> {
    return page.evaluate(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)})
      element.scrollIntoView({ block: 'center' })
      const box = element.getBoundingClientRect()
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    })()`)
  }
  async function press(key: string, modifiers?: number): Promise<void> {
    await page.press(key, modifiers)
    await page.settle()
  }

  it('draws a mark for each run and complains of nothing', async () => {
    await show(ttlLoop())
    expect(await number(`document.querySelectorAll('.lane .mark').length`)).toBe(7)
    expect(page.complaints).toEqual([])
  })

  it('asks for nothing but itself', () => {
    expect(page.requests.filter((address) => !address.startsWith('file:'))).toEqual([])
  })

  it('shows the card of the run under the pointer, with its cause chain, and hides it again', async () => {
    await show(ttlLoop())
    const { x, y } = await middleOf('.mark[data-first="1"] .face')
    await page.moveTo(x, y)
    await page.settle()
    const card = await text('.card')
    expect(card).toContain('restored')
    expect(card).toContain('its interval of 1h0m0s was over')
    expect(card).toContain('rule F-3')
    expect(await number(`document.querySelectorAll('.links path').length`)).toBeGreaterThan(0)
    await page.moveTo(5, 5)
    await page.settle()
    expect(await isCardShown()).toBe(false)
  })

  it('goes from run to run with the arrow keys, pins with Enter, lets go with Escape', async () => {
    await show(hookRuns())
    await focusFirst()
    expect(await focused()).toContain('shop/migrate, 1 of 11')
    await press('ArrowRight')
    await press('ArrowRight')
    expect(await focused()).toContain('shop/migrate, 3 of 11: failed')
    await press('ArrowDown')
    expect(await focused()).toContain('shop/seed-catalogue')
    await press('ArrowUp')
    expect(await focused()).toContain('shop/migrate, 3 of 11')
    await press('End')
    expect(await focused()).toContain('shop/migrate, 11 of 11')
    await press('Enter')
    expect(await page.evaluate(`document.querySelector('.card').className`)).toContain('pinned')
    await page.moveTo(5, 5)
    await page.settle()
    expect(await isCardShown()).toBe(true)
    await press('Escape')
    expect(await isCardShown()).toBe(false)
  })

  it('reaches the events below the lanes, too', async () => {
    await show(hookRuns())
    await focusFirst()
    for (let step = 0; step < 4; step += 1) await press('ArrowDown')
    expect(await focused()).toMatch(/^(?:commit|sync|outage|refused|\d+ events)/)
  })

  it('has one stop for Tab, and a ring that can be seen', async () => {
    await show(ttlLoop())
    await focusFirst()
    expect(
      await number(`document.querySelectorAll('.frame [data-first][tabindex="0"]').length`),
    ).toBe(1)
    const stroke = await page.evaluate<string>(
      `getComputedStyle(document.activeElement.querySelector('.ring')).stroke`,
    )
    expect(stroke).not.toBe('none')
  })

  it('zooms and moves by keys, and shows all with 0', async () => {
    await show(ttlLoop())
    const corner = (): Promise<string> => text('.corner')
    const whole = await corner()
    await focusFirst()
    await press('+')
    const zoomed = await corner()
    expect(zoomed).not.toBe(whole)
    await press('ArrowRight', SHIFT)
    expect(await corner()).not.toBe(zoomed)
    await press('0')
    expect(await corner()).toBe(whole)
  })

  it('keeps the keys when the run that has the focus is moved out of sight', async () => {
    await show(ttlLoop())
    await focusFirst()
    for (let step = 0; step < 3; step += 1) await press('+')
    for (let step = 0; step < 6; step += 1) await press('ArrowRight', SHIFT)
    expect(await page.evaluate(`document.activeElement.className`)).toBe('frame')
    await press('ArrowDown')
    expect(await focused()).toContain('1 of 7')
  })

  it('brings a run into sight that the keys go to', async () => {
    await show(ttlLoop())
    await focusFirst()
    for (let step = 0; step < 4; step += 1) await press('+')
    await press('End')
    expect(await focused()).toContain('7 of 7')
    const left = await number(
      `document.activeElement.querySelector('.face').getBoundingClientRect().x`,
    )
    expect(left).toBeGreaterThan(200)
    expect(left).toBeLessThan(1280)
  })

  it('opens a crowd with Enter until single runs can be seen', async () => {
    await show(everyMinute())
    expect(await number(`document.querySelectorAll('.mark').length`)).toBe(1)
    await focusFirst()
    for (let step = 0; step < 4; step += 1) await press('Enter')
    expect(await number(`document.querySelectorAll('.mark:not(.crowd)').length`)).toBeGreaterThan(5)
  })

  it('zooms where the pointer is by Ctrl and wheel, and moves by a drag', async () => {
    await show(ttlLoop())
    const whole = await text('.corner')
    const { x, y } = await middleOf('.lane .track')
    const wheel = { type: 'mouseWheel', x, y, deltaX: 0, deltaY: -300, modifiers: 2 }
    await page.send('Input.dispatchMouseEvent', wheel)
    await page.settle()
    const zoomed = await text('.corner')
    expect(zoomed).not.toBe(whole)
    const mouse = { x, y: y + 16, button: 'left', buttons: 1, clickCount: 1 }
    await page.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...mouse })
    await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...mouse, x: x + 150 })
    await page.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...mouse, x: x + 150 })
    await page.settle()
    expect(await text('.corner')).not.toBe(zoomed)
  })

  it('colours by cause when asked, with letters', async () => {
    await show(hookRuns())
    const { x, y } = await middleOf('[data-do="by-cause"]')
    await page.click(x, y)
    await page.settle()
    expect(
      await page.evaluate(`getComputedStyle(document.querySelector('.mark .letter')).display`),
    ).not.toBe('none')
  })

  it('is dark where the system is, and light or dark by choice', async () => {
    const ground = (): Promise<string> =>
      page.evaluate(`getComputedStyle(document.body).backgroundColor`)
    const dark = { features: [{ name: 'prefers-color-scheme', value: 'dark' }] }
    await show(ttlLoop())
    const light = await ground()
    await page.send('Emulation.setEmulatedMedia', dark)
    const byDefault = await ground()
    expect(byDefault).not.toBe(light)
    await page.evaluate(`document.querySelector('[data-theme-to="light"]').click()`)
    expect(await ground()).toBe(light)
    await page.send('Emulation.setEmulatedMedia', { features: [] })
    await page.evaluate(`document.querySelector('[data-theme-to="dark"]').click()`)
    expect(await ground()).toBe(byDefault)
  })

  it('finds lanes by name and state, in the timeline and in the list', async () => {
    await show(manyLanes(200))
    await page.evaluate(`(() => {
      const input = document.querySelector('.search input')
      input.value = 'job-3 failed'
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })()`)
    await page.settle()
    expect(await text('.matches')).toMatch(/^\d of 200$/)
    const shown = `[...document.querySelectorAll('.row.lane')].filter((row) => row.offsetParent !== null)`
    expect(await number(`${shown}.length`)).toBeLessThan(10)
    expect(await page.evaluate(`${shown}.every((row) => /job-3/.test(row.textContent))`)).toBe(true)
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('tbody th')].every((cell) => /job-3/.test(cell.textContent))`,
      ),
    ).toBe(true)
  })

  it('sorts the list by its heads, and shows more of it when asked', async () => {
    await show(everyMinute())
    await page.evaluate(`document.querySelector('th[data-column="outcome"] button').click()`)
    await page.evaluate(`document.querySelector('th[data-column="outcome"] button').click()`)
    expect(await text('tbody tr')).toContain('failed')
    expect(
      await page.evaluate(`document.querySelector('th[data-column="outcome"]').ariaSort`),
    ).toBe('descending')
    await page.evaluate(`document.querySelector('.more button').click()`)
    expect(await number(`document.querySelectorAll('tbody tr').length`)).toBe(400)
  })

  it('leads from the list to the run in the timeline', async () => {
    await show(ttlLoop())
    await page.evaluate(`document.querySelectorAll('tbody a.name')[4].click()`)
    await page.settle()
    expect(await focused()).toContain('5 of 7')
  })

  it('shows one variant at a time, by tabs', async () => {
    await show(ttlLoop(), hookRuns())
    const hidden = `[...document.querySelectorAll('.report')].map((one) => one.hidden)`
    expect(await page.evaluate(hidden)).toEqual([false, true])
    await page.evaluate(`document.querySelector('#tab-0').focus()`)
    await press('ArrowRight')
    expect(await page.evaluate(hidden)).toEqual([true, false])
    expect(
      await number(`document.querySelectorAll('#report-1 .lane .mark').length`),
    ).toBeGreaterThan(10)
  })

  it('draws of 1,000 lanes only what is in sight, and the rest when scrolled to', async () => {
    await show(manyLanes(1000))
    await page.evaluate(`document.querySelectorAll('.group').forEach((one) => { one.open = true })`)
    await page.settle()
    const drawn = `[...document.querySelectorAll('.row.lane')].filter((row) => !row.classList.contains('stale')).length`
    expect(await number(drawn)).toBeLessThan(100)
    await page.evaluate(`document.querySelector('[data-lane="999"].row').scrollIntoView()`)
    await page.settle()
    await page.settle()
    expect(
      await number(`document.querySelectorAll('.row[data-lane="999"] .mark').length`),
    ).toBeGreaterThan(0)
  })

  it('is all on paper: white, every variant, no controls', async () => {
    await show(ttlLoop(), hookRuns())
    await page.send('Emulation.setEmulatedMedia', { media: 'print' })
    const shown = (selector: string): Promise<boolean> =>
      page.evaluate(
        `[...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.getClientRects().length > 0)`,
      )
    expect(await shown('.toolbar')).toBe(false)
    expect(await shown('.tabs')).toBe(false)
    expect(await shown('#report-1 .timeline')).toBe(true)
    expect(await page.evaluate(`getComputedStyle(document.body).backgroundColor`)).toBe(
      'rgb(255, 255, 255)',
    )
    await page.send('Emulation.setEmulatedMedia', { media: '' })
  })

  it('runs no script that came in a name, and complained of nothing until now', async () => {
    const evil = '</script><script>document.title="broken"</script><img src=x onerror=alert(1)>'
    const { lanes, ...rest } = ttlLoop()
    await show({ ...rest, lanes: lanes.map((lane) => ({ ...lane, name: evil })) })
    await focusFirst()
    expect(await page.evaluate(`document.title`)).toBe('Variant 0 · semel simulate')
    expect(await number(`document.querySelectorAll('img').length`)).toBe(0)
    expect(page.complaints).toEqual([])
  })

  it('is complete without its script', async () => {
    await page.send('Emulation.setScriptExecutionDisabled', { value: true })
    const file = path.join(folder, 'report.html')
    const titled = [ttlLoop(), hookRuns()].map((history) => ({ title: 'still', history }))
    writeFileSync(file, renderHtml(titled, { sentences: () => 'runs' }))
    await page.open(pathToFileURL(file).href)
    const root = (await page.send('DOM.getDocument'))['root'] as { nodeId: number }
    const { nodeIds } = await page.send('DOM.querySelectorAll', {
      nodeId: root.nodeId,
      selector: '.lane .mark',
    })
    expect(nodeIds).toHaveLength(7 + 14)
    await page.send('Emulation.setScriptExecutionDisabled', { value: false })
  })
})
