import path from 'node:path'
import { Renderer } from '../../adapters/render.ts'
import { Fault } from '../../core/faults.ts'
import { manifestsOf, type Manifest } from '../../core/manifest.ts'
import type { Place, Source } from '../../core/source.ts'
import type { FileReading, FullParser } from '../../core/yaml/document.ts'
import { readFile } from '../../core/yaml/read-file.ts'
import type { RenderedFolder, RenderedFolders } from '../../ownership/rendered.ts'
import type { Repository } from '../../ownership/subject.ts'
import type { Io } from '../io.ts'
import type { Naming } from '../naming.ts'
import { problemOf, type Problem } from '../problem.ts'
import type { Progress } from '../progress.ts'
import type { Note } from '../report.ts'
import { OBJECTS } from '../wanted.ts'
import { helmCall, kustomizeCall, refuseRemote } from './calls.ts'
import { originalOf, pathOf, templatePath } from './origin.ts'
import { carrierKey, targetsOf, type Target } from './targets.ts'
import { tracedSource, type Origin } from './traced-source.ts'
import { releaseOf } from './values.ts'

/** What the tools made of the folders that could be rendered. */
export interface Rendered {
  readonly folders: RenderedFolders
  /** Where a rendered text comes from. */
  readonly of: ReadonlyMap<Source, RenderedFrom>
  readonly problems: readonly Problem[]
  readonly notes: readonly Note[]
}

export interface RenderedFrom {
  /** Its file at the top: the kustomization file or Chart.yaml. */
  readonly place: Place
  readonly tool: string
  /** Whose values it was rendered with, if that makes a difference: it is nobody else's. */
  readonly carrier: string | undefined
}

export interface RenderInput {
  readonly repository: Repository
  /** The Chart.yaml files of charts that can be installed, as shown to the user. */
  readonly charts: readonly string[]
  readonly naming: Naming
  readonly io: Io
  readonly progress: Progress
  readonly loadFullParser: () => Promise<FullParser>
}

/** Renders all that can be; what cannot is a problem, and stays as it is written. */
export async function renderAll(input: RenderInput): Promise<Rendered> {
  const renderer = new Renderer({ env: input.io.env })
  const work = new RenderWork(input, renderer)
  const targets = targetsOf(input.repository, input.charts)
  let done = 0
  try {
    await Promise.all(
      targets.map(async (target) => {
        await work.run(target)
        done += 1
        input.progress.say(`rendering: ${done} of ${targets.length} folders`)
      }),
    )
  } finally {
    renderer.close()
  }
  return work.result()
}

class RenderWork {
  private readonly input: RenderInput
  private readonly renderer: Renderer
  private readonly folders = new Map<string, RenderedFolder>()
  private readonly of = new Map<Source, RenderedFrom>()
  private readonly texts = new Map<Target, Source[]>()
  private readonly problems = new Map<string, Problem>()
  private readonly notes: Note[] = []

  constructor(input: RenderInput, renderer: Renderer) {
    this.input = input
    this.renderer = renderer
  }

  result(): Rendered {
    const problems = [...this.problems.values()].sort((one, other) =>
      one.what < other.what ? -1 : 1,
    )
    return { folders: this.folders, of: this.of, problems, notes: this.notes }
  }

  /** A chart of which one rendering fails is judged as it is written, for everybody. */
  async run(target: Target): Promise<void> {
    try {
      const manifests =
        target.tool === 'helm' ? await this.helm(target) : await this.kustomize(target)
      const texts = this.texts.get(target) ?? []
      const { file } = target
      this.folders.set(this.input.naming.relative(target.folder), { file, manifests, texts })
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (target.isGuess && error.code === 'RENDER_FAILED') {
        this.notes.push({ path: target.file, what: error.message, why: error.why })
        return
      }
      const key = error.code === 'RENDER_TOOL_MISSING' ? target.tool : error.message
      if (!this.problems.has(key)) this.problems.set(key, problemOf(error))
    }
  }

  private async kustomize(target: Target): Promise<readonly Manifest[]> {
    refuseRemote(target, this.input.repository)
    const output = await this.renderer.render(kustomizeCall(target, this.input.naming))
    return this.read(output, target, { tool: 'kubectl kustomize', carrier: undefined })
  }

  private async helm(target: Target): Promise<readonly Manifest[]> {
    const { naming } = this.input
    const chart = naming.absolute(target.folder)
    const top = naming.absolute(naming.root)
    const found: Manifest[] = []
    for (const carrier of target.carriers) {
      const release = releaseOf(carrier, (written) => path.join(top, written) === chart)
      for (const missing of release.unknown) this.noteUnknown(target, carrier, missing)
      const output = await this.renderer.render(helmCall(target, release, { naming, carrier }))
      const from = { tool: 'helm template', carrier: carrierKey(carrier) }
      found.push(...(await this.read(output, target, from)))
    }
    return found
  }

  private noteUnknown(target: Target, carrier: Manifest | undefined, missing: string): void {
    this.notes.push({
      path: carrier === undefined ? target.file : pathOf(carrier),
      what: `the values in ${missing} cannot be seen from here`,
      why: `${target.folder === '' ? 'the chart' : target.folder} was rendered without them`,
    })
  }

  private async read(
    output: Uint8Array,
    target: Target,
    from: Omit<RenderedFrom, 'place'>,
  ): Promise<readonly Manifest[]> {
    const place = this.startOf(target.file)
    const found: Manifest[] = []
    const texts = this.texts.get(target) ?? []
    this.texts.set(target, texts)
    for (const text of new TextDecoder().decode(output).split(/^---[ \t]*$/m)) {
      texts.push(this.textOf(text, target))
      for (const manifest of await this.readDocument(text, target)) {
        if (manifest.kind !== 'Job' && manifest.kind !== 'CronJob') continue
        this.of.set(manifest.document.source, { ...from, place })
        found.push(manifest)
      }
    }
    return found
  }

  /** Once to learn what it holds, and once more as a part of the file that it was made from. */
  private async readDocument(text: string, target: Target): Promise<readonly Manifest[]> {
    const bytes = new TextEncoder().encode(text)
    const first = await this.readText({ path: target.file, bytes })
    const [document] = first.documents
    const [manifest] = manifestsOf(first)
    if (document === undefined || manifest === undefined) return []
    const origin = this.originOf(manifest, text, target)
    return manifestsOf(await this.readText(tracedSource(document, origin)))
  }

  /** A place in it leads to the start of the file that it was made from. */
  private textOf(text: string, target: Target): Source {
    const { source, span } = this.startOf(this.fileOf(text, target))
    const outer = { source, offsetOf: () => span.start }
    return { path: source.path, bytes: new TextEncoder().encode(text), outer }
  }

  private async readText(source: Source): Promise<FileReading> {
    const reading = readFile(source, { wanted: OBJECTS, fullParser: undefined })
    if (reading.needsFullParser !== true) return reading
    return readFile(source, { wanted: OBJECTS, fullParser: await this.input.loadFullParser() })
  }

  private originOf(manifest: Manifest, text: string, target: Target): Origin {
    const { manifests, subjects } = this.input.repository
    const file = this.fileOf(text, target)
    const candidates =
      target.tool === 'helm'
        ? manifests.filter((one) => pathOf(one) === file)
        : subjects
            .filter(({ chain }) => chain.some((link) => link.path === target.file))
            .map((subject) => subject.manifest)
    const original = manifest.root.length > 0 ? undefined : originalOf(manifest, candidates)
    return original === undefined ? { place: this.startOf(file) } : { manifest: original }
  }

  private fileOf(text: string, target: Target): string {
    const template = target.tool === 'helm' ? templatePath(text) : undefined
    if (template === undefined) return target.file
    return target.folder === '' ? template : `${target.folder}/${template}`
  }

  /** A template without a readable object has no reading; then its name must do. */
  private startOf(file: string): Place {
    const reading = this.input.repository.files.find(({ source }) => source.path === file)
    const source = reading?.source ?? { path: file, bytes: new Uint8Array() }
    return { source, span: { start: 0, end: Math.min(1, source.bytes.length) } }
  }
}
