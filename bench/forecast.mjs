import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { duration, goal, table, timeProcesses } from './measure.mjs'

const JOBS = 500
const MOST_SECONDS = 0.5
/** 1: there are findings. */
const OK_CODES = [0, 1]

/**
 * `semel check` beside `semel lint` on the same Jobs: both read, follow and judge the same, and
 * check adds its table and the forecast of each Job.
 */
export function measureForecast({ rounds = 9 }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'semel-forecast-'))
  try {
    write(folder)
    const command = (name, ...args) => ({
      name,
      args: ['dist/cli/main.js', ...args, folder, '-o', 'json'],
      okCodes: OK_CODES,
    })
    const lint = command('semel lint -o json', 'lint')
    const check = command('semel check -o json', 'check')
    const measured = timeProcesses([lint, check], rounds)
    // The least of each: what else the machine does is not in it.
    const leastOf = ({ name }) => measured.get(name).minMs
    const addedMs = leastOf(check) - leastOf(lint)
    const rows = [lint, check].map((one) => [
      `\`${one.name}\``,
      duration(measured.get(one.name).minMs),
      duration(measured.get(one.name).medianMs),
    ])
    return [
      `${JOBS} Jobs and CronJobs under Flux, Argo CD and Helm charts of both, with and without a TTL.`,
      '',
      table([['process', 'min', 'median'], ...rows]),
      '',
      goal(
        `the forecast and the table add ${duration(Math.max(0, addedMs))}, below ${MOST_SECONDS} s`,
        addedMs < MOST_SECONDS * 1000,
      ),
    ].join('\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function write(folder) {
  const put = (name, text) => {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  for (let nth = 0; nth < JOBS; nth += 1) {
    const load = Math.floor(nth / 25)
    const folderName = `apps/${load}`
    const isChart = load % 4 === 3
    put(`${folderName}/${isChart ? 'templates/' : ''}job-${nth}.yaml`, jobOf(nth))
    if (nth % 25 > 0) continue
    if (isChart) put(`${folderName}/Chart.yaml`, `apiVersion: v2\nname: c${load}\nversion: 1.0.0\n`)
    put(`clusters/${load}.yaml`, carrierOf(load, folderName))
  }
}

function jobOf(nth) {
  const pod = `template:
SPEC  spec:
SPEC    restartPolicy: Never
SPEC    containers:
SPEC      - name: task
SPEC        image: registry.example.test/app:${nth}
`
  if (nth % 5 === 4) {
    return `apiVersion: batch/v1
kind: CronJob
metadata:
  name: job-${nth}
  namespace: shop
spec:
  schedule: "*/${1 + (nth % 30)} * * * *"
  jobTemplate:
    spec:
      ${pod.replaceAll('SPEC', '      ')}`
  }
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: job-${nth}
  namespace: shop
spec:
${nth % 2 === 0 ? `  ttlSecondsAfterFinished: ${nth * 60}\n` : ''}  ${pod.replaceAll('SPEC', '  ')}`
}

function carrierOf(load, folderName) {
  if (load % 4 === 0 || load % 4 === 1) {
    return `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: k${load}, namespace: flux-system}
spec:
  interval: 10m
  wait: ${load % 4 === 1}
  prune: true
  path: ./${folderName}
  sourceRef: {kind: GitRepository, name: flux-system}
`
  }
  return `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a${load}, namespace: argocd}
spec:
  source: {repoURL: https://git.example.test/apps.git, path: ${folderName}}
  destination: {namespace: shop}
  syncPolicy: {automated: {selfHeal: true}}
`
}
