import { describe, expect, it } from 'vitest'
import { renderChart } from './chart.ts'
import { liveFunctions } from './live.ts'

const NOW = Date.UTC(2026, 0, 5, 14, 3, 9)

function rendered(
  template: string,
  lookUp?: Parameters<typeof liveFunctions>[0]['lookUp'],
): string {
  let drawn = 0
  const chance = (): number => {
    drawn += 1
    return (drawn * 0.37) % 1
  }
  const functions = liveFunctions({ now: NOW, chance, ...(lookUp === undefined ? {} : { lookUp }) })
  const release = { name: 'rel', namespace: 'shop', revision: 1, isInstall: true, functions }
  const found = renderChart(
    { 'Chart.yaml': 'name: demo\n', 'templates/a.yaml': template },
    {},
    release,
  )
  return 'fault' in found ? found.fault : (found.files[0]?.text ?? '')
}

describe('what a chart gets from the clock, chance and the cluster', () => {
  it.each([
    ['{{ now | date "20060102150405" }}', '20260105140309'],
    ['{{ now | date "2006-01-02T15:04:05Z07:00" }}', '2026-01-05T14:03:09Z'],
    ['{{ now | date "Mon 02 Jan 06 03:04 PM" }}', 'Mon 05 Jan 26 02:03 PM'],
    ['{{ now | unixEpoch }}', '1767621789'],
    ['{{ now | htmlDate }}', '2026-01-05'],
    ['{{ dateInZone "15:04" (now) "UTC" }}', '14:03'],
  ])('%s', (template, text) => {
    expect(rendered(template)).toBe(text)
  })

  it.each([
    ['{{ randAlphaNum 5 }}', /^[a-zA-Z0-9]{5}$/],
    ['{{ randAlpha 5 | lower }}', /^[a-z]{5}$/],
    ['{{ randNumeric 3 }}', /^\d{3}$/],
    ['{{ uuidv4 }}', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/],
  ])('%s', (template, pattern) => {
    expect(rendered(template)).toMatch(pattern)
  })

  it('looks objects up', () => {
    const template = '{{ (lookup "v1" "ConfigMap" "shop" "conf").data.v }}'
    expect(rendered(template, (...of) => ({ data: { v: of.join(' ') } }))).toBe(
      'v1 ConfigMap shop conf',
    )
  })

  it('finds nothing where there is no cluster', () => {
    expect(rendered('{{ if lookup "v1" "Secret" "shop" "x" }}yes{{ else }}no{{ end }}')).toBe('no')
  })
})
