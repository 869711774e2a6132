// What the real Helm makes of each template of fixtures/go-template/templates.txt, for the tests of
// src/simulate/go-template. A template that Helm refuses ends a run, so each refusal takes one more.
//   node scripts/record-go-template.mjs HELM
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const FIXTURE = 'fixtures/go-template'
const [helm] = process.argv.slice(2)
if (helm === undefined) {
  console.error('usage: node scripts/record-go-template.mjs HELM')
  process.exit(2)
}

const lines = readFileSync(`${FIXTURE}/templates.txt`, 'utf8').split('\n').filter(Boolean)
const { files } = JSON.parse(readFileSync(`${FIXTURE}/chart.json`, 'utf8'))
const folder = mkdtempSync(path.join(tmpdir(), 'semel-go-template-'))
for (const [name, text] of Object.entries(files)) put(name, text)

const answers = new Map()
const open = new Map(lines.map((line, at) => [`case-${String(at).padStart(3, '0')}.yaml`, line]))
while (open.size > 0) {
  rmSync(path.join(folder, 'templates'), { recursive: true, force: true })
  // Each case gets its text as JSON, so that it need not be YAML.
  put('templates/_t1.tpl', '{{ define "t1" }}[{{ . }}]{{ end }}')
  for (const [name, line] of open) put(`templates/${name}`, wrapped(name, line))
  const { text, error } = run()
  if (error === undefined) {
    for (const [, name, answer] of text.matchAll(
      /# Source: demo\/templates\/(\S+)\nanswer: (.*)/g,
    )) {
      answers.set(open.get(name), { text: JSON.parse(answer) })
      open.delete(name)
    }
    if (open.size > 0) throw new Error(`no answer to ${[...open.values()].join('\n')}`)
    break
  }
  const name = /case-\d+\.yaml/.exec(error)?.[0]
  const line = open.get(name ?? '')
  if (line === undefined) throw new Error(error)
  answers.set(line, { error: error.replace(/^Error: /, '').split('\n')[0] })
  open.delete(name)
}
rmSync(folder, { recursive: true })
const version = execFileSync(helm, ['version', '--short'], { encoding: 'utf8' }).trim()
const rows = lines.map((template) => ({ template, ...answers.get(template) }))
writeFileSync(`${FIXTURE}/answers.json`, `${JSON.stringify({ helm: version, rows }, null, 2)}\n`)
console.log(`${rows.length} answers of Helm ${version}`)

function wrapped(name, line) {
  return `{{ define "${name}" }}${line}{{ end }}answer: {{ include "${name}" . | toRawJson }}\n`
}

function put(name, text) {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function run() {
  const args = ['template', 'rel', folder, '--namespace', 'shop', '--kube-version', 'v1.36.3']
  const env = { PATH: '/usr/bin:/bin', HOME: '/nonexistent', KUBECONFIG: '/nonexistent/config' }
  try {
    return { text: execFileSync(helm, args, { encoding: 'utf8', env, stdio: 'pipe' }) }
  } catch (error) {
    return {
      text: '',
      error: String(error.stderr)
        .replace(/^(?:WARNING|level=).*\n/gm, '')
        .trim(),
    }
  }
}
