// Writes a corpus of Kubernetes manifests like a large GitOps repository, and the truth about it.
//   node bench/gen-corpus.mjs --out FOLDER [--seed 1] [--documents 20000] [--truth FILE]
// The same seed gives the same bytes. The truth file has a JSON line for each document: file, byte
// range (without separator lines), kind, name, namespace, and the odd form in which it is written.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { blockYaml } from './corpus/emit.mjs'
import { ODD_FORMS, oddText, startsWithBrace } from './corpus/oddities.mjs'
import { planCorpus } from './corpus/plan.mjs'
import { randomFrom } from './corpus/random.mjs'

const BOM = '\uFEFF'
const LICENCE = '# Copyright the shop authors\n# kind: Job is a word here, no document\n'
const SEPARATORS = ['---\n', '---\n', '---\n', '--- # next\n', '---  \n', '...\n---\n']

function main() {
  const { out, seed, documents, truthFile } = settings()
  const random = randomFrom(seed)
  const truth = []
  let bytes = 0
  const files = planCorpus(random, documents)
  for (const file of files) {
    const { content, documents: found } = render(random, file)
    const target = path.join(out, file.path)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, content)
    bytes += content.length
    for (const document of found)
      truth.push(`${JSON.stringify({ file: file.path, ...document })}\n`)
  }
  writeFileSync(truthFile, truth.join(''))
  const megabytes = (bytes / 1e6).toFixed(1)
  console.log(`${truth.length} documents, ${files.length} files, ${megabytes} MB in ${out}`)
  console.log(`truth in ${truthFile}`)
}

function settings() {
  let values
  try {
    ;({ values } = parseArgs({
      options: {
        out: { type: 'string' },
        seed: { type: 'string', default: '1' },
        documents: { type: 'string', default: '20000' },
        truth: { type: 'string' },
      },
    }))
  } catch (error) {
    stop(error.message)
  }
  if (values.out === undefined) stop('--out FOLDER is missing')
  const out = path.resolve(values.out)
  if (existsSync(out) && readdirSync(out).length > 0) {
    stop(`${out} is not empty: name a new folder, so that nothing of yours is mixed in`)
  }
  return {
    out,
    seed: wholeNumber('--seed', values.seed, 0),
    documents: wholeNumber('--documents', values.documents, 100),
    truthFile: path.resolve(values.truth ?? `${out}.truth.jsonl`),
  }
}

function wholeNumber(flag, text, least) {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < least) {
    stop(`${flag} must be a whole number from ${least}, not ${text}`)
  }
  return number
}

function stop(message) {
  console.error(
    `${message}\nusage: node bench/gen-corpus.mjs --out FOLDER [--seed N] [--documents N]`,
  )
  process.exit(2)
}

/** The bytes of a file and the byte range of each document in it. */
function render(random, { path: file, manifests }) {
  const isCarrierFile = file.endsWith('kustomization.yaml')
  const hasCarriageReturns = random.chance(0.05)
  const hasBom = random.chance(0.03)
  const parts = []
  const documents = []
  let at = 0
  const write = (text) => {
    const buffer = Buffer.from(hasCarriageReturns ? text.replaceAll('\n', '\r\n') : text, 'utf8')
    parts.push(buffer)
    at += buffer.length
  }
  if (hasBom) write(BOM)
  const hasLicence = random.chance(0.1)
  if (hasLicence) write(LICENCE)
  const opens = random.chance(0.3)
  if (opens) write('---\n')
  // Comments before the first `---` are a chunk of their own; without `---` they belong to it.
  let start = hasLicence && !opens ? (hasBom ? 3 : 0) : at
  for (const [index, manifest] of manifests.entries()) {
    const isFirst = index === 0
    if (!isFirst) {
      write(random.pick(SEPARATORS))
      start = at
    }
    const odd = isCarrierFile ? undefined : oddForm(random, manifest, isFirst && !opens)
    if (random.chance(0.05)) write(`# ${random.words(6)}, not kind: Job\n`)
    write(
      odd === undefined
        ? blockYaml(manifest, { indentLists: random.chance(0.5) })
        : oddText(odd, manifest),
    )
    documents.push({ index, start, end: at, ...about(manifest), ...(odd && { odd }) })
  }
  if (random.chance(0.03)) write('...\n')
  return { content: Buffer.concat(parts), documents }
}

/** Jobs are written oddly more often than the rest: they are what must not be missed. */
function oddForm(random, manifest, opensFile) {
  const isJob = ['Job', 'CronJob', 'List'].includes(manifest.kind)
  if (!random.chance(isJob ? 0.1 : 0.03)) return undefined
  const form = random.pick(ODD_FORMS)
  if (opensFile && startsWithBrace(form)) return undefined
  return form
}

function about({ apiVersion, kind, metadata, items }) {
  return {
    apiVersion,
    kind,
    ...(metadata?.name !== undefined && { name: metadata.name }),
    ...(metadata?.namespace !== undefined && { namespace: metadata.namespace }),
    ...(items !== undefined && { items: items.map(about) }),
  }
}

main()
