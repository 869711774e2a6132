import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { builtProgram } from '../built-programs.ts'
import { helm3Path, helm4Path, kubectl35Path } from '../oracles.ts'
import { missing, newFolder, programs, reason, root, run } from './harness.ts'

/**
 * In the pages of stamp each `console` block holds commands (`$ ...`) and all that they print, in a
 * folder with a chart, a kustomization and integrations/; the blocks of a page run one after the
 * other. `console helm4` runs Helm 4 with the plugin; `console kustomize` and `console kpt` run
 * where these programs have been built, and stay as they are elsewhere. UPDATE=1 writes them.
 */
const FOLDER = path.join(root, 'docs/stamp')
const BUILT = ['kustomize', 'kpt'] as const
const BLOCK = /```console(?: (helm4|kustomize|kpt))?\n([\s\S]*?)```/g

describe.skipIf(missing !== undefined)(`transcripts in docs/stamp${reason}`, () => {
  let tools: Readonly<Record<'helm3' | 'helm4', string>>
  beforeAll(async () => {
    const kubectl = await kubectl35Path()
    const generate = path.join(root, 'integrations/argocd/semel-generate')
    const more = Object.fromEntries(
      BUILT.flatMap((name) => {
        const file = builtProgram(name)
        return file === undefined ? [] : [[name, file]]
      }),
    )
    const with3 = { ...more, helm: await helm3Path(), kubectl, 'semel-generate': generate }
    tools = { helm3: programs(with3), helm4: programs({ ...with3, helm: await helm4Path() }) }
  })

  it.each(readdirSync(FOLDER).filter((name) => name.endsWith('.md')))(
    'of %s are what is printed',
    async (name) => {
      const file = path.join(FOLDER, name)
      const page = readFileSync(file, 'utf8')
      const cwd = newFolder()
      for (const [from, to] of PLACES) {
        cpSync(path.join(root, from), path.join(cwd, to), { recursive: true })
      }
      let made = page
      for (const [block, needs, body = ''] of page.matchAll(BLOCK)) {
        if (BUILT.some((name) => name === needs && builtProgram(name) === undefined)) continue
        const own = needs === 'helm4' ? tools.helm4 : tools.helm3
        const env = needs === 'helm4' ? { HELM_PLUGINS: path.join(cwd, 'plugins') } : {}
        let text = ''
        for (const command of body.split('\n').filter((line) => line.startsWith('$ '))) {
          const script = `exec 2>&1; ${command.slice(2)}`
          const { out } = await run('/bin/sh', ['-c', script], { cwd, path: own, env })
          text += `${command}\n${out}`
        }
        const info = needs === undefined ? 'console' : `console ${needs}`
        made = made.replace(block, () => `\`\`\`${info}\n${text}\`\`\``)
      }
      if (process.env['UPDATE'] === '1') writeFileSync(file, made)
      expect(made).toBe(page)
    },
  )
})

const PLACES = [
  ['fixtures/integrations/chart', 'chart'],
  ['fixtures/integrations/app', 'app'],
  ['integrations', 'integrations'],
  ['integrations/helm', 'plugins/semel-stamp'],
] as const
