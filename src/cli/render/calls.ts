import { existsSync } from 'node:fs'
import path from 'node:path'
import type { RenderCall } from '../../adapters/render.ts'
import { Fault } from '../../core/faults.ts'
import { at, isList, type Json } from '../../core/json.ts'
import type { Manifest } from '../../core/manifest.ts'
import type { Repository } from '../../ownership/subject.ts'
import type { Naming } from '../naming.ts'
import { folderOf, type Target } from './targets.ts'
import type { Release } from './values.ts'

/** `kubectl kustomize` of a folder. Flux lets a kustomization use files of its whole source. */
export function kustomizeCall(target: Target, naming: Naming): RenderCall {
  const isFlux = target.carriers.some((carrier) =>
    carrier?.apiVersion.startsWith('kustomize.toolkit.fluxcd.io/'),
  )
  const restrictor = isFlux ? ['--load-restrictor', 'LoadRestrictionsNone'] : []
  const folder = naming.absolute(target.folder)
  return {
    tool: 'kubectl',
    args: ['kustomize', folder, ...restrictor],
    cwd: folder,
    what: `the kustomization ${target.file}`,
    path: target.file,
  }
}

/** `helm template` of a chart as one carrier installs it. */
export function helmCall(
  target: Target,
  release: Release,
  options: { readonly naming: Naming; readonly carrier: Manifest | undefined },
): RenderCall {
  const { naming, carrier } = options
  const chart = naming.absolute(target.folder)
  const files = release.valueFiles.flatMap((file) => ['-f', valueFile(file, chart, naming)])
  const { name, namespace, values, set } = release
  const inline = values === undefined ? {} : { stdin: values }
  const user = carrier === undefined ? '' : ` for ${carrier.kind} ${carrier.name ?? ''}`
  return {
    tool: 'helm',
    args: [
      'template',
      name.slice(0, MAX_RELEASE_NAME),
      chart,
      '--namespace',
      namespace,
      ...files,
      ...(values === undefined ? [] : ['-f', '-']),
      ...set,
    ],
    cwd: chart,
    ...inline,
    what: `the chart ${target.folder === '' ? '.' : target.folder}${user}`,
    path: target.file,
  }
}

/** Helm refuses longer ones; Flux shortens them too. */
const MAX_RELEASE_NAME = 53

/** Argo CD starts at the chart, Flux at the top of the source. */
function valueFile(file: string, chart: string, naming: Naming): string {
  const inChart = path.resolve(chart, file)
  const fromTop = path.join(naming.absolute(naming.root), file)
  return !existsSync(inChart) && existsSync(fromTop) ? fromTop : inChart
}

/** Rendering must not depend on a network, and a guard must not run what others may change. */
export function refuseRemote(target: Target, repository: Repository): void {
  const open = [target.folder]
  const seen = new Set(open)
  for (let folder = open.shift(); folder !== undefined; folder = open.shift()) {
    const here = folder
    const reading = repository.files.find(
      ({ source }) => isKustomization(source.path) && folderOf(source.path) === here,
    )
    for (const reference of referencesIn(reading?.documents[0]?.value())) {
      if (isRemote(reference)) throw remote(target, reading?.source.path ?? target.file, reference)
      const next = path.posix.join(here, reference)
      if (!seen.has(next)) open.push(next)
      seen.add(next)
    }
  }
}

function referencesIn(value: Json | undefined): readonly string[] {
  return ['resources', 'bases', 'components', 'crds', 'generators', 'transformers'].flatMap(
    (key) => {
      const list = at(value, [key])
      return isList(list) ? list.filter((item) => typeof item === 'string') : []
    },
  )
}

function isKustomization(file: string): boolean {
  return /(?:^|\/)kustomization(?:\.ya?ml)?$/i.test(file)
}

function isRemote(reference: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]*:(?:\/\/|:)/i.test(reference) ||
    /^[^/\s]+@[^/\s]+:/.test(reference) ||
    /^(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev)[/:]/i.test(reference) ||
    /[?&](?:ref|version|timeout|submodules)=/.test(reference)
  )
}

function remote(target: Target, file: string, reference: string): Fault {
  return new Fault('RENDER_FAILED', {
    what: `the kustomization ${target.file} was not rendered: ${file} uses ${reference}`,
    why: 'that lies outside of this repository, and semel renders without a network',
    remedy: 'copy it into the repository, or accept that this folder is judged as it is written',
    where: file,
  })
}
