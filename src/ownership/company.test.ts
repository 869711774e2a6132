import { describe, expect, it } from 'vitest'
import {
  argo,
  flux,
  job,
  onlySubject,
  repositoryOf,
  type Files,
} from '../../test/ownership/harness.ts'
import { manifestsOf } from '../core/manifest.ts'
import type { Source } from '../core/source.ts'
import { bytesOf } from '../core/yaml/bytes.ts'
import { readFile } from '../core/yaml/read-file.ts'
import { buildRepository } from './repository.ts'
import type { Subject } from './subject.ts'

const config = (name: string, more = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}`

const found = (subject: Subject, texts: readonly string[], kinds = ['ConfigMap', 'Secret']) =>
  subject.company.mentioning(texts, kinds).map(({ kind, names }) => `${kind} ${names.join('|')}`)

describe('the company of a Job', () => {
  it.each<[string, Files]>([
    [
      'a folder of Argo CD',
      {
        'app.yaml': argo('shop', 'shop'),
        'shop/job.yaml': job('migrate'),
        'shop/c.yaml': config('settings'),
      },
    ],
    [
      'a folder of Flux',
      {
        'ks.yaml': flux('shop', './shop'),
        'shop/job.yaml': job('migrate'),
        'shop/deep/c.yaml': config('settings'),
      },
    ],
    [
      'a chart',
      {
        'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
        'chart/templates/job.yaml': job('migrate'),
        'chart/templates/c.yaml': config('settings', 'data:\n  a: {{ .Values.a }}\n'),
      },
    ],
    [
      'loose files of one folder',
      { 'jobs/job.yaml': job('migrate'), 'jobs/c.yaml': config('settings') },
    ],
  ])('is what stands in %s', (_, files) => {
    expect(found(onlySubject(files), ['settings'])).toEqual(['ConfigMap settings'])
  })

  it('has the names and namespaces that kustomizations give', () => {
    const subject = onlySubject({
      'ks.yaml': flux('shop', './eu', '  targetNamespace: shop-eu\n'),
      'base/kustomization.yaml': 'resources: [job.yaml, c.yaml]\n',
      'base/job.yaml': job('migrate'),
      'base/c.yaml': config('settings'),
      'eu/kustomization.yaml': 'resources: [../base]\nnamePrefix: eu-\n',
    })
    const [companion] = subject.company.mentioning(['settings'], ['ConfigMap'])
    expect(companion?.names).toEqual(['settings', 'eu-settings'])
    expect(companion?.object['metadata']).toEqual({ name: 'eu-settings', namespace: 'shop-eu' })
  })

  it('is one for all Jobs of a carrier', () => {
    const files = {
      'app.yaml': argo('shop', 'shop'),
      'shop/all.yaml': `${job('a')}---\n${job('b')}`,
    }
    const [one, other] = repositoryOf(files).subjects
    expect(one?.company).toBe(other?.company)
  })

  it('never holds the data of a Secret', () => {
    const secret = config('login', 'stringData: {password: s3cr3t}\n').replace(
      'ConfigMap',
      'Secret',
    )
    const subject = onlySubject({
      'app.yaml': argo('shop', 'shop'),
      'shop/job.yaml': job('migrate'),
      'shop/s.yaml': secret,
    })
    const [companion] = subject.company.mentioning(['login'], ['Secret'])
    expect(JSON.stringify(companion?.object)).not.toContain('s3cr3t')
  })

  it.each<[string, Files]>([
    [
      'documents that do not hold the text',
      {
        'app.yaml': argo('shop', 'shop'),
        'shop/job.yaml': job('migrate'),
        'shop/c.yaml': config('others'),
      },
    ],
    [
      'another folder',
      {
        'app.yaml': argo('shop', 'shop'),
        'shop/job.yaml': job('migrate'),
        'blog/c.yaml': config('settings'),
      },
    ],
    [
      'what a kustomization does not list',
      {
        'app.yaml': argo('shop', 'shop'),
        'shop/kustomization.yaml': 'resources: [job.yaml]\n',
        'shop/job.yaml': job('migrate'),
        'shop/c.yaml': config('settings'),
      },
    ],
    [
      'a kustomization beside a loose file',
      {
        'jobs/kustomization.yaml': 'resources: [c.yaml]\n',
        'jobs/job.yaml': job('migrate'),
        'jobs/c.yaml': config('settings'),
      },
    ],
    [
      'another kind',
      {
        'app.yaml': argo('shop', 'shop'),
        'shop/job.yaml': job('migrate'),
        'shop/c.yaml': config('settings').replace('ConfigMap', 'Service'),
      },
    ],
  ])('leaves out %s', (_, files) => {
    expect(found(onlySubject(files), ['settings'])).toEqual([])
  })

  it('holds the objects of a ResourceSet beside its Job', () => {
    const subject = onlySubject({
      'set.yaml': `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: shop, namespace: shop}
spec:
  resources:
    - {apiVersion: batch/v1, kind: Job, metadata: {name: migrate}, spec: {}}
    - {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}
`,
    })
    expect(found(subject, ['settings'])).toEqual(['ConfigMap settings'])
  })

  it('is what a tool has made of a folder, where one has', () => {
    const text = (name: string): Source => ({
      path: 'chart/templates/all.yaml',
      bytes: new TextEncoder().encode(config(name)),
    })
    const sources = new Map(
      Object.entries({
        'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
        'chart/templates/c.yaml': config('{{ .Release.Name }}-settings'),
      }).map(([path, content]) => [path, { path, bytes: new TextEncoder().encode(content) }]),
    )
    const made = readFile(
      { path: 'chart/templates/job.yaml', bytes: bytesOf(job('shop-migrate')) },
      WHOLE,
    )
    const { subjects } = buildRepository({
      files: [made],
      listing: [...sources.keys(), 'chart/templates/job.yaml'],
      root: '',
      read: (path) => sources.get(path),
      rendered: new Map([
        [
          'chart',
          {
            file: 'chart/Chart.yaml',
            manifests: manifestsOf(made),
            texts: [text('shop-settings'), text('shop-others')],
          },
        ],
      ]),
    })
    const [subject] = subjects
    if (subject === undefined) throw new Error('no subject')
    expect(found(subject, ['settings'])).toEqual(['ConfigMap shop-settings'])
  })
})

const WHOLE = { wanted: { all: true, needles: [] }, fullParser: undefined }
