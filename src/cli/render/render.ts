import { existsSync } from 'node:fs'
import path from 'node:path'
import { Renderer } from '../../adapters/render.ts'
import { Fault } from '../../core/faults.ts'
import { at, isList, stringAt, type Json } from '../../core/json.ts'
import { manifestsOf, type Manifest } from '../../core/manifest.ts'
import type { Source } from '../../core/source.ts'
import type { FileReading, FullParser, YamlDocument } from '../../core/yaml/document.ts'
import { FileReader, readFile } from '../../core/yaml/read-file.ts'
import type { Repository } from '../../ownership/subject.ts'
import type { Io } from '../io.ts'
import type { Naming } from '../naming.ts'
import { problemOf, type Problem } from '../problem.ts'
import type { Progress } from '../progress.ts'
import type { Note } from '../report.ts'
import { OBJECTS } from '../wanted.ts'
import { originalOf, pathOf, templatePath } from './origin.ts'
import { carrierKey, targetsOf, type Target } from './targets.ts'
import { tracedSource, type Origin } from './traced-source.ts'
import { releaseOf, type Release } from './values.ts'

/** What the tools made of the folders that could be rendered. */
export interface Rendered {
  /** By folder from the top of the repository: the Jobs and CronJobs in it. */
  readonly folders: ReadonlyMap<string, readonly Manifest[]>
  /** Where a rendered text comes from. */
  readonly of: ReadonlyMap<Source, RenderedFrom>
  readonly problems: readonly Problem[]
  readonly notes: readonly Note[]
}

export interface RenderedFrom {
  readonly target: Target
  /** Whose values it was rendered with; the text is nobody else's. */
  readonly carrierKey: string
  readonly tool: string
}

export interface RenderInput {
  readonly repository: Repository
  /** The Chart.yaml files of charts, not of their subcharts, as shown to the user. */
  readonly charts: readonly string[]
  readonly naming: Naming
  readonly io: Io
  readonly progress: Progress
  readonly loadFullParser: () => Promise<FullParser>
}

/** Renders all that can be; what cannot is a problem, and stays as it is written. */
export async function renderAll(input: RenderInput): Promise<Rendered> {
  const { repository, charts, io, progress } = input
  const renderer = new Renderer({ env: io.env })
  const job = new RenderJob(input, renderer)
  try {
    const targets = targetsOf(repository, charts)
    let done = 0
    await Promise.all(
      targets.flatMap((target) =>
        target.carriers.map(async (carrier) => {
          await job.run(target, carrier)
          done += 1
          progress.say(`rendering ${done} of ${targets.length} folders`)
        }),
      ),
    )
  } finally {
    renderer.close()
  }
  return job.result()
}

class RenderJob {
  private readonly input: RenderInput
  private readonly renderer: Renderer
  private readonly folders = new Map<string, Manifest[]>()
  private readonly of = new Map<Source, RenderedFrom>()
  private readonly failed = new Set<string>()
  private readonly problems = new Map<string, Problem>()
  private readonly notes: Note[] = []

  constructor(input: RenderInput, renderer: Renderer) {
    this.input = input
    this.renderer = renderer
  }

  /** A folder of which one rendering failed is judged as it is written, for everybody. */
  result(): Rendered {
    for (const folder of this.failed) this.folders.delete(folder)
    const problems = [...this.problems.values()].sort((one, other) =>
      (one.path ?? '') < (other.path ?? '') ? -1 : 1,
    )
    return { folders: this.folders, of: this.of, problems, notes: this.notes }
  }

  async run(target: Target, carrier: Manifest | undefined): Promise<void> {
    const folder = this.input.naming.relative(`${target.folder}/`).replace(/\/$/, '')
    try {
      const output = await this.output(target, carrier)
      const manifests = await this.read(output, target, carrier)
      const known = this.folders.get(folder)
      if (known === undefined) this.folders.set(folder, [...manifests])
      else known.push(...manifests)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      this.failed.add(folder)
      const problem = problemOf(error)
      const key = error.code === 'RENDER_TOOL_MISSING' ? target.tool : problem.what
      if (!this.problems.has(key)) this.problems.set(key, problem)
    }
  }

  private output(target: Target, carrier: Manifest | undefined): Promise<Uint8Array> {
    return target.tool === 'helm' ? this.helm(target, carrier) : this.kustomize(target, carrier)
  }

  private kustomize(target: Target, carrier: Manifest | undefined): Promise<Uint8Array> {
    const { naming } = this.input
    refuseRemote(target, this.input.repository)
    // Flux lets a kustomization use files of the whole source, kubectl and Argo CD do not.
    const isFree = carrier?.apiVersion.startsWith('kustomize.toolkit.fluxcd.io/') === true
    const restrictor = isFree ? ['--load-restrictor', 'LoadRestrictionsNone'] : []
    const folder = naming.absolute(target.folder === '' ? '.' : target.folder)
    return this.renderer.render({
      tool: 'kubectl',
      args: ['kustomize', folder, ...restrictor],
      cwd: folder,
      what: `the kustomization ${target.file}`,
      path: target.file,
    })
  }

  private helm(target: Target, carrier: Manifest | undefined): Promise<Uint8Array> {
    const { naming } = this.input
    const chart = naming.absolute(target.folder === '' ? '.' : target.folder)
    const isChart = (written: string): boolean => path.resolve(naming.top, written) === chart
    const release = releaseOf(carrier, isChart)
    for (const missing of release.unknown) this.noteUnknown(target, carrier, missing)
    const files = release.valueFiles.flatMap((file) => ['-f', valueFile(file, chart, naming.top)])
    const inline = release.values === undefined ? [] : ['-f', '-']
    return this.renderer.render({
      tool: 'helm',
      args: ['template', ...releaseArgs(release, chart), ...files, ...inline, ...release.set],
      cwd: chart,
      ...(release.values === undefined ? {} : { stdin: release.values }),
      what: `the chart ${target.folder === '' ? '.' : target.folder}${forWhom(carrier)}`,
      path: target.file,
    })
  }

  private noteUnknown(target: Target, carrier: Manifest | undefined, missing: string): void {
    this.notes.push({
      path: carrier === undefined ? target.file : pathOf(carrier),
      what: `values from ${missing} are not in the chart or its carrier`,
      why: `${target.folder} was rendered without them`,
    })
  }

  private async read(
    output: Uint8Array,
    target: Target,
    carrier: Manifest | undefined,
  ): Promise<readonly Manifest[]> {
    const tool = target.tool === 'helm' ? 'helm template' : 'kubectl kustomize'
    const from = { target, carrierKey: carrierKey(carrier), tool }
    const found: Manifest[] = []
    for (const chunk of chunksOf(output)) {
      const reading = await this.readChunk(chunk, target)
      for (const manifest of manifestsOf(reading)) {
        if (manifest.kind !== 'Job' && manifest.kind !== 'CronJob') continue
        this.of.set(manifest.document.source, from)
        found.push(manifest)
      }
    }
    return found
  }

  /** Once to learn what it holds, and once more inside the file that it comes from. */
  private async readChunk(chunk: Uint8Array, target: Target): Promise<FileReading> {
    const plain = { path: target.file, bytes: chunk }
    const first = await this.readText(plain)
    const [manifest] = manifestsOf(first)
    if (manifest === undefined) return first
    let document: YamlDocument | undefined
    const origin = this.originOf(manifest, new TextDecoder().decode(chunk), target)
    const reading = await this.readText(tracedSource(chunk, origin, () => document))
    document = reading.documents[0]
    return reading
  }

  private async readText(source: Source): Promise<FileReading> {
    const reading = readFile(source, { wanted: OBJECTS, fullParser: undefined })
    if (reading.needsFullParser !== true) return reading
    return readFile(source, { wanted: OBJECTS, fullParser: await this.input.loadFullParser() })
  }

  private originOf(manifest: Manifest, text: string, target: Target): Origin {
    const { repository } = this.input
    const template = templatePath(text)
    const prefix = target.folder === '' ? '' : `${target.folder}/`
    const candidates =
      target.tool === 'helm'
        ? repository.manifests.filter((one) => pathOf(one) === `${prefix}${template}`)
        : repository.subjects
            .filter(({ chain }) => chain.some((link) => link.path === target.file))
            .map((subject) => subject.manifest)
    const original = originalOf(manifest, candidates)
    if (original !== undefined) return { manifest: original }
    const name = template === undefined ? target.file : `${prefix}${template}`
    return { place: this.startOf(name) ?? this.startOf(target.file) ?? NO_PLACE(target.file) }
  }

  private startOf(name: string): { source: Source; span: { start: number; end: number } } | undefined {
    const reading = this.input.repository.files.find(({ source }) => source.path === name)
    return reading === undefined
      ? undefined
      : { source: reading.source, span: { start: 0, end: 1 } }
  }
}
