// The floor: lists a folder, reads every file once, and does nothing else.
import { readFileSync } from 'node:fs'
import { filesBelow } from './files.mjs'

const startedAt = performance.now()
const files = filesBelow(process.argv[2])
const listedAt = performance.now()
let bytes = 0
for (const file of files) bytes += readFileSync(file).length
const readAt = performance.now()
console.log(
  JSON.stringify({
    files: files.length,
    bytes,
    listMs: listedAt - startedAt,
    readMs: readAt - listedAt,
  }),
)
