// Writes THIRD-PARTY-NOTICES.md: the licences of the packages that the build put inside dist/cli.
// `npm run check` fails while the file is not what this would write.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './run.mjs'

const FILE = path.join(root, 'THIRD-PARTY-NOTICES.md')
/** Written by the build (tsdown.config.ts). */
const INLINED = path.join(root, 'node_modules/.cache/semel-inlined.json')

const HEAD = `# Third-party notices

Semel's command line contains code of the packages below, so it needs no other package at run time.
Each stands under its own licence, given here in full. This page is made by
\`node scripts/notices.mjs\` from the packages that the build put inside.
`

/** The text that THIRD-PARTY-NOTICES.md must have. Throws when a package states no licence. */
function wantedNotices() {
  if (!existsSync(INLINED)) throw new Error('nothing is built yet: run `npm run build` first')
  const names = JSON.parse(readFileSync(INLINED, 'utf8'))
  const sections = names.map((name) => {
    const folder = path.join(root, 'node_modules', name)
    const { version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    const licenceFile = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))
    if (licenceFile === undefined) throw new Error(`${name} ${version} holds no licence file`)
    const text = readFileSync(path.join(folder, licenceFile), 'utf8')
      .replaceAll('\r\n', '\n')
      .trim()
    const quoted = text.split('\n').map((line) => `    ${line}`.trimEnd())
    return `\n## ${name} ${version} (${license})\n\n${quoted.join('\n')}\n`
  })
  return `${HEAD}${sections.join('')}`
}

/** What is wrong with the file as it stands, if anything. */
export function noticesProblem() {
  const wanted = wantedNotices()
  const found = existsSync(FILE) ? readFileSync(FILE, 'utf8') : undefined
  if (found === wanted) return undefined
  const state = found === undefined ? 'is missing' : 'does not match the packages inside dist/cli'
  return `THIRD-PARTY-NOTICES.md ${state}: run \`node scripts/notices.mjs\` and commit the file`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(FILE, wantedNotices())
  console.log('wrote THIRD-PARTY-NOTICES.md')
}
