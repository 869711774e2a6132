// npm run bench -- [startup] [lint] [stamp] [yaml] [cluster] [simulate] [forecast] [--rounds N] [--corpus FOLDER] [--write docs/benchmarks.md]
// Measures and prints; writes nothing unless told where. Without a name all of them are measured.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { prepare } from '../scripts/prepare.mjs'
import { measureCluster } from './cluster.mjs'
import { measureForecast } from './forecast.mjs'
import { measureLint } from './lint.mjs'
import { root } from './measure.mjs'
import { measureSimulate } from './simulate.mjs'
import { measureStamp } from './stamp.mjs'
import { measureStartup } from './startup.mjs'
import { measureYaml } from './yaml.mjs'

const benchmarks = {
  startup: measureStartup,
  lint: measureLint,
  stamp: measureStamp,
  yaml: measureYaml,
  cluster: measureCluster,
  simulate: measureSimulate,
  forecast: measureForecast,
}

/** These need no generated repositories. */
const WITHOUT_CORPUS = new Set(['startup', 'cluster', 'simulate', 'forecast'])

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    corpus: { type: 'string' },
    write: { type: 'string' },
  },
})
const names = positionals.length === 0 ? Object.keys(benchmarks) : positionals
const unknown = names.filter((name) => !(name in benchmarks))
if (unknown.length > 0) {
  console.error(
    `no benchmark ${unknown.join(', ')}: there are ${Object.keys(benchmarks).join(', ')}`,
  )
  process.exit(2)
}
const problem = await prepare()
if (problem !== undefined) {
  console.error(problem)
  process.exit(1)
}

const options = {
  ...(values.rounds !== undefined && { rounds: Number(values.rounds) }),
  corpus:
    values.corpus ?? (names.every((name) => WITHOUT_CORPUS.has(name)) ? undefined : newCorpus()),
}
const results = new Map()
for (const name of names) {
  const result = await benchmarks[name](options)
  results.set(name, result)
  console.log(`\n## ${name}\n\n${result}`)
}
console.log(`\n${machine()}`)
if (values.write !== undefined) writePage(path.resolve(root, values.write))

function newCorpus() {
  const folder = mkdtempSync(path.join(tmpdir(), 'semel-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))
  const corpus = path.join(folder, 'corpus')
  const generator = path.join(root, 'bench/gen-corpus.mjs')
  const { status } = spawnSync(process.execPath, [generator, '--out', corpus, '--seed', '1'], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
  return corpus
}

function machine() {
  const [{ model }] = cpus()
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} x ${model.trim()}, ${gigabytes} GiB, ${process.platform}, Node ${process.versions.node}`
}

/** Each result goes between its two marks; the rest of the page stays. */
function writePage(file) {
  let page = readFileSync(file, 'utf8')
  const put = (name, text) => {
    const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`]
    const from = page.indexOf(begin)
    const to = page.indexOf(end)
    if (from < 0 || to < from) throw new Error(`${file} lacks the marks ${begin.trim()} and ${end}`)
    page = `${page.slice(0, from + begin.length)}${text}\n${page.slice(to)}`
  }
  for (const [name, result] of results) put(name, result)
  put('machine', machine())
  writeFileSync(file, page)
  console.log(`wrote ${path.relative(root, file)}`)
}
