// Takes the host names out of package-lock.json: npm leaves `resolved` out (.npmrc), but writes
// `funding` pages. Run it after every change of a dependency; `npm run check` fails without it.
import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(path, 'utf8'))
for (const entry of Object.values(lock.packages)) {
  delete entry.funding
  delete entry.resolved
}
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
