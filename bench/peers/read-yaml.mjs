// Times the reader against searching the same bytes and against js-yaml, all warm in one process.
//   node read-yaml.mjs READER FOLDER ROUNDS
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { load as load5 } from 'js-yaml'
import { load as load4 } from 'js-yaml-4'
import { filesBelow } from './files.mjs'

const SAMPLE_BYTES = 8e6
const ABSENT_BYTE = 1
const JOBS = [{ kind: 'Job' }, { kind: 'CronJob' }]
const CARRIERS = [
  'kustomize.toolkit.fluxcd.io',
  'helm.toolkit.fluxcd.io',
  'argoproj.io',
  'fluxcd.controlplane.io',
].map((group) => ({ group }))

const [readerFile, folder, rounds] = process.argv.slice(2)
const { readFile } = await import(pathToFileURL(readerFile).href)
const sources = filesBelow(folder).map((path) => ({ path, bytes: readFileSync(path) }))
const sample = sampleOf(sources)
const documents = sample.flatMap((source) => structuralDocuments(source))

const steps = [
  step('look for one absent byte (`indexOf`)', sources, ({ bytes }) => bytes.indexOf(ABSENT_BYTE)),
  step('look for every `Job` (`indexOf`)', sources, everyJob),
  step('read, a kind that no file names', sources, reads([{ kind: 'NoSuchKind' }])),
  step('read, Jobs and CronJobs', sources, reads(JOBS)),
  step('read, these and what carries them', sources, reads([...JOBS, ...CARRIERS])),
  step('structural parser, tape only', documents, parseDocument),
  step('structural parser, with values', documents, (source) => parseDocument(source, true)),
  step('js-yaml 5', documents, ({ text }) => load5(text)),
  step('js-yaml 4', documents, ({ text }) => load4(text)),
]
for (const one of steps) one.coldMs = timeOf(one)
for (let round = 0; round < Number(rounds); round += 1) {
  for (const one of steps) one.times.push(timeOf(one))
}
console.log(
  JSON.stringify({
    corpusBytes: sizeOf(sources),
    sampleBytes: sizeOf(documents),
    steps: steps.map(({ name, bytes, times, coldMs }) => ({ name, bytes, times, coldMs })),
  }),
)

function step(name, inputs, work) {
  return { name, inputs, work, bytes: sizeOf(inputs), times: [], coldMs: 0 }
}

function timeOf({ inputs, work }) {
  const startedAt = performance.now()
  for (const input of inputs) work(input)
  return performance.now() - startedAt
}

function sizeOf(inputs) {
  return inputs.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

function everyJob({ bytes }) {
  for (let at = bytes.indexOf('Job'); at >= 0; at = bytes.indexOf('Job', at + 3));
}

function reads(needles) {
  return (source) => readFile(source, { wanted: { needles }, fullParser: undefined })
}

function parseDocument(source, withValue = false) {
  const { documents: found } = readFile(source, {
    wanted: { all: true, needles: [] },
    fullParser: undefined,
  })
  if (withValue) for (const document of found) document.value()
}

/** Files from all over the corpus, up to a few megabytes. */
function sampleOf(all) {
  const stride = Math.max(1, Math.floor(sizeOf(all) / SAMPLE_BYTES))
  return all.filter((_source, n) => n % stride === 0)
}

/** The documents of a file that the structural parser takes, each as a source of its own. */
function structuralDocuments(source) {
  const wanted = { all: true, needles: [] }
  return readFile(source, { wanted, fullParser: undefined })
    .documents.filter(({ parser }) => parser === 'structural')
    .map(({ span }) => {
      const bytes = source.bytes.subarray(span.start, span.end)
      return { path: source.path, bytes, text: bytes.toString('utf8') }
    })
}
