// The peer: js-yaml parses every document of a folder, and nobody looks at the result.
//   node parse-js-yaml.mjs js-yaml|js-yaml-4 FOLDER
import { readFileSync } from 'node:fs'
import { filesBelow } from './files.mjs'

const [name, folder] = process.argv.slice(2)
const { loadAll } = await (name === 'js-yaml-4' ? import('js-yaml-4') : import('js-yaml'))
let documents = 0
for (const file of filesBelow(folder)) {
  for (const document of loadAll(readFileSync(file, 'utf8'))) {
    if (document !== null && document !== undefined) documents += 1
  }
}
console.log(JSON.stringify({ documents }))
