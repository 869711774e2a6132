import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { helm3Path, helm4Path, kubectl35Path, oraclesMissing } from '../oracles.ts'
import { folder, job, semel } from './cli.ts'

interface Finding {
  readonly rule: string
  readonly object: string
  readonly path: string
  readonly line: number
  readonly column: number
  readonly related: readonly { readonly path: string; readonly note: string }[]
}

interface Answer {
  readonly code: number
  readonly err: string
  readonly findings: readonly Finding[]
  readonly jobs: readonly {
    readonly name: string
    readonly namespace: string
    readonly engine: string
  }[]
  readonly notes: readonly { readonly what: string }[]
  readonly problems: readonly {
    readonly code: string
    readonly what: string
    readonly why: string
  }[]
}

async function rendered(
  files: Readonly<Record<string, string>>,
  options: {
    readonly args?: string
    readonly helm?: () => Promise<string>
    readonly path?: string
  } = {},
): Promise<Answer> {
  const helm = options.helm ?? helm4Path
  const tools = [path.dirname(await kubectl35Path()), path.dirname(await helm())]
  const folders = helm === helm4Path ? tools : tools.toReversed()
  const env = { PATH: options.path ?? [...folders, '/usr/bin', '/bin'].join(':') }
  const args = `check --render -o json ${options.args ?? ''}`
  const { code, out, err } = await semel(args, { cwd: folder(files), env })
  return { code, err, ...(JSON.parse(out === '' ? '{}' : out) as Omit<Answer, 'code' | 'err'>) }
}

const places = (findings: readonly Finding[], rule: string): readonly string[] =>
  findings
    .filter((finding) => finding.rule === rule)
    .map(({ object, path: file, line, column }) => `${object} ${file}:${line}:${column}`)

const release = (values: string, name = 'shop'): string => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: ${name}
  namespace: flux-system
spec:
  interval: 10m
  targetNamespace: ${name}
  chart:
    spec:
      chart: ./charts/shop
      sourceRef: {kind: GitRepository, name: fleet}
  values:
${values}
`

const chart = {
  'charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'charts/shop/values.yaml': 'tasks: []\nimage: registry.example.test/shop:1.0.0\n',
  'charts/shop/templates/tasks.yaml': `{{- range .Values.tasks }}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ $.Release.Name }}-{{ .name }}
spec:
  backoffLimit: 0
  activeDeadlineSeconds: 600
  {{- with .ttl }}
  ttlSecondsAfterFinished: {{ . }}
  {{- end }}
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: task
          image: {{ $.Values.image }}
{{- end }}
`,
}

describe.skipIf(oraclesMissing !== undefined)('semel check --render', () => {
  it.each([
    ['Helm 3', helm3Path],
    ['Helm 4', helm4Path],
  ])('judges what a chart makes of the values of its release, with %s', async (_name, helm) => {
    const values =
      '    tasks: [{name: load}, {name: sweep}]\n    image: registry.example.test/shop:latest'
    const files = { ...chart, 'release.yaml': release(values) }
    const { jobs, findings, problems, code } = await rendered(files, { helm })
    expect(problems).toEqual([])
    expect(jobs.map(({ name, namespace, engine }) => `${engine} ${namespace}/${name}`)).toEqual([
      'helm-controller shop/shop-shop-load',
      'helm-controller shop/shop-shop-sweep',
    ])
    expect(places(findings, 'mutable-tag')).toEqual([
      'Job shop/shop-shop-load charts/shop/templates/tasks.yaml:18:18',
    ])
    expect(findings[0]?.related).toMatchObject([
      { path: 'release.yaml', note: 'the same for Job shop/shop-shop-sweep' },
      { path: 'charts/shop/Chart.yaml', note: 'rendered from here by helm template' },
    ])
    expect(code).toBe(1)
  })

  it('renders a chart for each of its releases, and mixes nothing up', async () => {
    const files = {
      ...chart,
      'a.yaml': release('    tasks: [{name: load}]', 'one'),
      'b.yaml': release('    tasks: [{name: sweep}]', 'other'),
    }
    const { jobs } = await rendered(files)
    expect(jobs.map(({ name, namespace }) => `${namespace}/${name}`)).toEqual([
      'one/one-one-load',
      'other/other-other-sweep',
    ])
  })

  it('takes values of an Argo CD Application, in all of its forms', async () => {
    const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  destination: {namespace: shop}
  source:
    repoURL: https://git.example.test/fleet
    path: charts/shop
    helm:
      releaseName: web
      valueFiles: [extra.yaml]
      valuesObject: {tasks: [{name: load}]}
      parameters: [{name: image, value: "registry.example.test/a,b:2.0.0"}]
`
    const extra = 'tasks: [{name: never}]\n'
    const files = { ...chart, 'app.yaml': application, 'charts/shop/extra.yaml': extra }
    const { jobs, problems } = await rendered(files)
    expect(problems).toEqual([])
    expect(jobs.map(({ name }) => name)).toEqual(['web-load'])
  })

  it('renders charts that nobody installs, with their own values', async () => {
    const values = 'tasks: [{name: load, ttl: 60}]\nimage: registry.example.test/shop:1.0.0\n'
    const { jobs } = await rendered({ ...chart, 'charts/shop/values.yaml': values })
    expect(jobs).toMatchObject([{ name: 'release-name-load', engine: 'helm' }])
  })

  it('notes values that it cannot see', async () => {
    const from = '    tasks: [{name: load}]\n  valuesFrom:\n    - {kind: Secret, name: passwords}'
    const { notes, jobs } = await rendered({ ...chart, 'release.yaml': release(from) })
    expect(notes.map(({ what }) => what)).toContain(
      'the values in Secret passwords cannot be seen from here',
    )
    expect(jobs).toHaveLength(1)
  })

  it('judges what kustomize builds, and what Flux adds to it', async () => {
    const files = {
      'flux.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: prod, namespace: flux-system}
spec:
  interval: 10m
  path: ./prod
  prune: true
  targetNamespace: prod
  sourceRef: {kind: GitRepository, name: fleet}
`,
      'base/kustomization.yaml': 'resources: [job.yaml]\n',
      'base/job.yaml': job('load', { spec: 'ttlSecondsAfterFinished: 60' }).replace(
        '  namespace: shop\n',
        '',
      ),
      'prod/kustomization.yaml':
        'resources: [../base]\nnamePrefix: prod-\nreplacements:\n  - source: {kind: Job, fieldPath: metadata.name}\n    targets:\n      - select: {kind: Job}\n        fieldPaths: [spec.template.spec.containers.0.name]\n',
    }
    const { jobs, findings, problems } = await rendered(files)
    expect(problems).toEqual([])
    expect(jobs).toMatchObject([{ name: 'prod-load', namespace: 'prod', engine: 'flux' }])
    expect(places(findings, 'ttl-causes-rerun')).toEqual(['Job prod/prod-load base/job.yaml:8:28'])
    expect(findings[0]?.related.at(-1)).toMatchObject({
      path: 'prod/kustomization.yaml',
      note: 'rendered from here by kubectl kustomize',
    })
  })

  it('shows what it cannot lead back at the file that was rendered', async () => {
    const files = {
      'kustomization.yaml': 'resources: [list.yaml]\nnameSuffix: -x\n',
      'list.yaml': `apiVersion: v1\nkind: List\nitems:\n  - ${job('load')
        .replace(/@sha256:5+/, ':latest')
        .trimEnd()
        .replaceAll('\n', '\n    ')}\n`,
    }
    const { findings } = await rendered(files, { args: '--engine kubectl' })
    expect(places(findings, 'mutable-tag')).toEqual(['Job shop/load-x list.yaml:17:22'])
  })

  it('does not fetch anything: remote bases are a problem, the rest is judged', async () => {
    const files = {
      'kustomization.yaml': 'resources: [inner, job.yaml]\n',
      'inner/kustomization.yaml': 'resources: ["https://git.example.test/x//y?ref=main"]\n',
      'job.yaml': job('load').replace(/@sha256:5+/, ':latest'),
    }
    const { problems, findings, code } = await rendered(files, { args: '--engine kubectl' })
    expect(problems).toMatchObject([{ code: 'RENDER_FAILED' }])
    expect(problems[0]?.what).toContain(
      'inner/kustomization.yaml uses https://git.example.test/x//y',
    )
    expect(places(findings, 'mutable-tag')).toEqual(['Job shop/load job.yaml:14:18'])
    expect(code).toBe(2)
  })

  it('says why a tool refused, and judges what is written', async () => {
    const broken = {
      ...chart,
      'charts/shop/templates/bad.yaml': '{{ fail "no region was given" }}\n',
      'charts/shop/templates/more.yaml': job('more'),
      'kustomization.yaml': 'resources: [gone.yaml, job.yaml]\n',
      'job.yaml': job('load'),
    }
    const { problems, jobs, code } = await rendered(broken)
    expect(problems.map((problem) => problem.code)).toEqual(['RENDER_FAILED', 'RENDER_FAILED'])
    expect(problems[0]?.what).toBe('helm could not render the chart charts/shop')
    expect(problems[0]?.why).toContain('no region was given')
    expect(problems[1]?.what).toBe('kubectl could not render the kustomization kustomization.yaml')
    expect(jobs.map(({ name }) => name)).toContain('more')
    expect(code).toBe(2)
  })

  it('takes back what it said about templates that the tool could read', async () => {
    const odd = {
      ...chart,
      'charts/shop/templates/odd.yaml':
        'kind: Job\napiVersion: batch/v1\nmetadata: {{ dict "name" "odd" | toJson }}\n  {{ "spec: {}" | indent 0 }}\n',
    }
    const { problems } = await rendered(odd)
    expect(problems.filter(({ code }) => code.startsWith('YAML'))).toEqual([])
  })

  it('only notes a chart that cannot be rendered and shows no Job', async () => {
    const files = {
      'charts/x/Chart.yaml':
        'apiVersion: v2\nname: x\nversion: 1.0.0\ndependencies: [{name: y, version: 1.0.0}]\n',
      'charts/x/templates/all.yaml': '{{ include "y.all" . }}\n',
    }
    const { problems, notes, code } = await rendered(files)
    expect(problems).toEqual([])
    expect(notes.map(({ what }) => what)).toContain('helm could not render the chart charts/x')
    expect(code).toBe(0)
  })

  it('names the tool that is missing, once', async () => {
    const files = { ...chart, 'charts/other/Chart.yaml': chart['charts/shop/Chart.yaml'] }
    const { problems, code } = await rendered(files, { path: '/nowhere' })
    expect(problems).toMatchObject([{ code: 'RENDER_TOOL_MISSING' }])
    expect(problems[0]?.what).toContain('there is no helm on the PATH')
    expect(code).toBe(2)
  })
})
