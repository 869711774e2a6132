import { Fault } from '../../core/faults.ts'
import { render } from '../../render/render.ts'
import type { RenderOptions } from '../../render/options.ts'
import { yamlStream } from '../../core/yaml/write-stream.ts'
import type { Values } from '../../render/values/values.ts'
import type { Io } from '../io.ts'
import type { ColorChoice } from '../paint.ts'
import { Tell } from '../stamp/tell.ts'
import { readValues, type ValuesInput } from './read-values.ts'
import { tellProblems } from './tell.ts'

export interface RenderRequest {
  readonly input: ValuesInput
  readonly options: RenderOptions
  readonly json: boolean
  readonly color: ColorChoice
}

const DONE = 0
const BROKEN = 2

/** Runs one `semel render`. When anything is wrong, nothing is written to stdout. */
export async function runRender(request: RenderRequest, io: Io): Promise<number> {
  const { input, options, json, color } = request
  const { values, problems: unread } = await readValues(input, io)
  const tell = new Tell(io, color)
  if (unread.length > 0) {
    tell.problems(unread)
    return BROKEN
  }
  if (options.release.name === '' && !namesItself(values)) throw noRelease()
  const { objects, configMaps, problems } = render(values.value, options)
  tellProblems(problems, values, { io, color })
  if (problems.some(({ severity }) => severity === 'error')) return BROKEN
  const all = [...configMaps, ...objects.map(({ object }) => object)]
  if (objects.length === 0) {
    tell.line('No job to render: jobGroups is empty, or everything in it is switched off.')
  }
  io.stdout.write(json ? jsonList(all) : yamlStream(all))
  return DONE
}

function namesItself({ value }: Values): boolean {
  return (value['fullnameOverride'] ?? '') !== ''
}

function jsonList(items: readonly unknown[]): string {
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, undefined, 2)}\n`
}

function noRelease(): Fault {
  return new Fault('USAGE', {
    what: 'no release name is given',
    why: 'the names of the Jobs begin with it, so another one would run all of them again',
    remedy: 'say --release NAME, or set fullnameOverride in the values',
  })
}
