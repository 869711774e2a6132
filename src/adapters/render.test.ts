import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Fault } from '../core/faults.ts'
import { Renderer, type RenderCall } from './render.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A folder for the PATH with a `helm` that is this shell script. */
function tool(script: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'semel-tool-'))
  folders.push(folder)
  writeFileSync(path.join(folder, 'helm'), `#!/bin/sh\n${script}\n`)
  chmodSync(path.join(folder, 'helm'), 0o755)
  return folder
}

async function run(script: string, more: Partial<RenderCall> & { callMs?: number } = {}) {
  const folder = tool(script)
  const { callMs, ...call } = more
  const renderer = new Renderer({
    env: { PATH: `${folder}:/usr/bin:/bin`, HELM_PLUGINS: '/home/user/plugins', SECRET: 'x' },
    ...(callMs === undefined ? {} : { callMs }),
  })
  try {
    const output = await renderer.render({
      tool: 'helm',
      args: ['template', 'x'],
      cwd: folder,
      what: 'the chart x',
      path: 'x/Chart.yaml',
      ...call,
    })
    return new TextDecoder().decode(output)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  } finally {
    renderer.close()
  }
}

describe.skipIf(process.platform === 'win32')('rendering', () => {
  it('gives what the tool writes, with its arguments and input', async () => {
    expect(await run('echo "$@"; cat', { stdin: 'a: 1' })).toBe('template x\na: 1')
  })

  it('gives the tool an environment of its own', async () => {
    const environment = String(await run('env'))
    expect(environment).toMatch(/^KUBECONFIG=\/dev\/null$/m)
    expect(environment).toMatch(/^HELM_PLUGINS=.*semel-render-.*helm-plugins$/m)
    expect(environment).toMatch(/^HTTPS_PROXY=http:\/\/127\.0\.0\.1:9$/m)
    expect(environment).toMatch(/^GIT_ALLOW_PROTOCOL=none$/m)
    expect(environment).not.toContain('SECRET')
  })

  it('tells what the tool said when it fails', async () => {
    expect(await run('echo "Error: no\n  such chart" >&2; exit 3')).toMatchObject({
      code: 'RENDER_FAILED',
      message: 'helm could not render the chart x',
      why: 'it says: no such chart',
      where: 'x/Chart.yaml',
    })
    expect(await run('exit 1')).toMatchObject({ why: 'it gave no reason' })
  })

  it('ends what takes too long, with all that it has started', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'semel-marks-'))
    folders.push(folder)
    const late = path.join(folder, 'late')
    const answer = await run(`(sleep 0.5; touch ${late}) & sleep 60`, { callMs: 100 })
    expect(answer).toMatchObject({
      code: 'RENDER_FAILED',
      message: 'rendering the chart x took too long',
    })
    // The child in the background was in the same group, so its mark never comes.
    expect(await run('sleep 0.8; echo done')).toBe('done\n')
    expect(existsSync(late)).toBe(false)
  })

  it('ends what writes without end', async () => {
    expect(await run('yes')).toMatchObject({
      code: 'RENDER_FAILED',
      message: 'rendering the chart x gave more than 64 MiB',
    })
  })

  it('survives a tool that reads no input', async () => {
    expect(await run('exec <&-; echo done', { stdin: 'x'.repeat(1_000_000) })).toBe('done\n')
  })

  it('runs two at a time', async () => {
    const slots = mkdtempSync(path.join(tmpdir(), 'semel-slots-'))
    folders.push(slots)
    const folder = tool(`mkdir ${slots}/$$; ls ${slots} | wc -l; sleep 0.1; rmdir ${slots}/$$`)
    const renderer = new Renderer({ env: { PATH: `${folder}:/usr/bin:/bin` } })
    const call = { tool: 'helm', args: [], cwd: folder, what: 'x', path: 'x' } as const
    const outputs = await Promise.all(Array.from({ length: 6 }, () => renderer.render(call)))
    renderer.close()
    const running = outputs.map((bytes) => Number(new TextDecoder().decode(bytes)))
    expect(Math.max(...running)).toBeLessThanOrEqual(2)
  })

  it('says which tool is missing, and leaves nothing behind', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('semel-render-'))
    const renderer = new Renderer({ env: { PATH: '/nowhere' } })
    const call = { tool: 'kubectl', args: [], cwd: '/', what: 'x', path: 'x' } as const
    await expect(renderer.render(call)).rejects.toMatchObject({ code: 'RENDER_TOOL_MISSING' })
    renderer.close()
    const after = readdirSync(tmpdir()).filter((name) => name.startsWith('semel-render-'))
    expect(after.filter((name) => !before.includes(name))).toEqual([])
  })
})
