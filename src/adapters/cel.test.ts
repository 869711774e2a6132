import { describe, expect, it } from 'vitest'
import { createCel } from './cel.ts'

const cel = createCel()

function value(expression: string, variables: Parameters<typeof cel.evaluate>[1] = {}): unknown {
  const answer = cel.evaluate(expression, variables)
  return 'value' in answer ? answer.value : `fault: ${answer.fault}`
}

describe("kro's functions", () => {
  // Recorded: trace kro/013.
  it.each([
    ['', 'cbf29ce484222325', 'e3b0c442', 'd41d8cd9', 'y/Kc5IQiIyU=', 'ew0w84jl'],
    ['a', 'af63dc4c8601ec8c', 'ca978112', '0cc175b9', 'r2PcTIYB7Iw=', '2q3xwip3'],
    ['hello world', '779a65e7023cd2e7', 'b94d27b9', '5eb63bbb', 'd5pl5wI80uc=', 'lov2zmo9'],
    ['äöü', 'bd2c3dfe3241c098', 'bc329dbf', '0a09d7ee', 'vSw9/jJBwJg=', undefined],
    ['key-417', '41216bb51fc60af1', 'a963d4c2', 'c8ee644c', 'QSFrtR/GCvE=', undefined],
  ])('hash "%s" as the real kro does', (text, fnv, sha, md5, base64, seeded) => {
    expect(value('"%x".format([hash.fnv64a(t)])', { t: text })).toBe(fnv)
    expect(value('"%x".format([hash.sha256(t)]).substring(0, 8)', { t: text })).toBe(sha)
    expect(value('"%x".format([hash.md5(t)]).substring(0, 8)', { t: text })).toBe(md5)
    expect(value('base64.encode(hash.fnv64a(t))', { t: text })).toBe(base64)
    if (seeded !== undefined) expect(value('random.seededString(8, t)', { t: text })).toBe(seeded)
  })

  it('write JSON with sorted keys, as Go escapes it (trace kro/025)', () => {
    const spec = { note: 'x<y', env: { Z: '26', A: '1' }, count: 3 }
    expect(value('json.marshal(spec)', { spec })).toBe(
      '{"count":3,"env":{"A":"1","Z":"26"},"note":"x\\u003cy"}',
    )
    expect(value('json.unmarshal("{\\"a\\": [1]}").a[0]')).toBe(1)
  })

  it('format as CEL does', () => {
    expect(value('"%s-%d".format([name, 3])', { name: 'a' })).toBe('a-3')
    expect(value('"%d%% %.1f %X".format([n, 1.25, 255])', { n: 5 })).toContain('5% 1.3')
    expect(value('"%s".format([[true, false]])')).toBe('[true, false]')
  })

  it('replace and pick letters', () => {
    expect(value('"1.2.3".replace(".", "-")')).toBe('1-2-3')
    expect(value('"1.2.3".replace(".", "-", 1)')).toBe('1-2.3')
    expect(value('"abc".charAt(1)')).toBe('b')
  })
})

describe('faults', () => {
  it('tell what CEL would refuse from what the package does not know', () => {
    expect(cel.evaluate('run.status.done', { run: {} })).toEqual({ fault: 'no such key: status' })
    expect(cel.evaluate('x.transformList(i, v, v)', { x: [1] })).toMatchObject({
      isUnsupported: true,
    })
    expect(cel.evaluate('1 +', {})).toMatchObject({ isUnsupported: true })
  })
})
