import { Option } from 'commander'
import { Fault } from '../../core/faults.ts'
import { ENGINES, TAG_POLICIES, type RenderEngine, type TagPolicy } from '../../render/options.ts'
import type { SetExpression } from '../../render/values/set.ts'
import { runRenderKrm } from '../job-groups/krm.ts'
import { runRender, type RenderRequest } from '../job-groups/run.ts'
import type { ColorChoice } from '../paint.ts'
import type { Command } from './command.ts'

/** Jobs and CronJobs from `jobGroups` values. */
export const render: Command = {
  values: {
    '--values': 'files',
    '--set': 'nothing',
    '--set-string': 'nothing',
    '--set-file': 'nothing',
    '--release': 'nothing',
    '--namespace': 'nothing',
    '--chart': 'nothing',
    '--app-version': 'nothing',
  },
  argumentValues: 'nothing',
  define(command) {
    const several = (value: string, before: readonly string[] = []): readonly string[] => [
      ...before,
      value,
    ]
    command
      .option('-f, --values <file>', 'values; later files win; - is stdin', several)
      .option('--set <path=value>', 'single values, as Helm reads them', several)
      .option('--set-string <path=value>', 'the same, and all of it is text', several)
      .option('--set-file <path=file>', 'the same, with the text of a file', several)
      .option('--release <name>', 'name of the release; a must without fullnameOverride')
      .option('-n, --namespace <name>', 'namespace of the objects', 'default')
      .option('--chart <name>', 'name of the chart, for the full name', 'app')
      .option('--app-version <version>', 'for the label app.kubernetes.io/version')
      .addOption(
        new Option('--engine <name>', 'what applies the objects').choices(ENGINES).default('any'),
      )
      .addOption(
        new Option('--tag-policy <policy>', 'what to think of image tags without a digest')
          .choices(TAG_POLICIES)
          .default('warn'),
      )
      .option('--krm', 'be a KRM function: a ResourceList, or a JobGroups, from stdin to stdout')
      .option('--config-maps', 'also render the enabled entries of configMaps')
      .option('--shared-values', 'the values have other readers: leave their top-level keys alone')
      .addOption(
        new Option('-o, --output <format>', 'a YAML stream, or a List in JSON')
          .choices(['yaml', 'json'])
          .default('yaml'),
      )
      .addOption(
        new Option('--color <when>', 'colours')
          .choices(['auto', 'always', 'never'])
          .default('auto'),
      )
      .option('--no-color', 'the same as --color never')
      .addHelpText('after', EXAMPLES)
  },
  async run(_args, given, io) {
    if (given['krm'] !== true) return runRender(requestOf(given), io)
    const isAlone = Object.entries(given).every(
      ([name, value]) => name === 'krm' || name === 'color' || value === STANDARDS[name],
    )
    if (!isAlone) throw krmAlone()
    return runRenderKrm(io, colorOf(given['color']))
  },
}

const EXAMPLES = `
Examples:
  semel render -f values.yaml --release shop --namespace prod > jobs.yaml
  semel render -f values.yaml -f prod.yaml --set image.tag=v2 --release shop | kubectl apply -f -
  semel render -f - --release shop --engine flux --tag-policy immutable < values.yaml
  semel render -f values.yaml --release shop -o json
  semel render --krm < job-groups.yaml         a JobGroups of semel.dev/v1alpha1

The name of a Job ends in a hash of what it does: the same values give the same name, and
applying again changes nothing. When one job is wrong nothing is rendered, and all that is wrong
is told.

Exit codes: 0 rendered, also with warnings; 1 refused by --krm; 2 broken use, values or input.
`

const STANDARDS: Readonly<Record<string, unknown>> = {
  namespace: 'default',
  chart: 'app',
  engine: 'any',
  tagPolicy: 'warn',
  output: 'yaml',
}

function colorOf(color: unknown): ColorChoice {
  return color === false ? 'never' : (color as ColorChoice)
}

type Given = Readonly<Record<string, unknown>>

function requestOf(given: Given): RenderRequest {
  const files = listOf(given['values'])
  // Helm's order, whatever stands first on the command line.
  const sets = [
    ...listOf(given['set']).map((text): SetExpression => ({ flag: 'set', text })),
    ...listOf(given['setString']).map((text): SetExpression => ({ flag: 'set-string', text })),
    ...listOf(given['setFile']).map((text): SetExpression => ({ flag: 'set-file', text })),
  ]
  if (files.length + sets.length === 0) throw noValues()
  if (files.filter((file) => file === '-').length > 1) throw stdinTwice()
  const { release = '', appVersion, color } = given
  return {
    input: { files, sets },
    options: {
      release: {
        name: String(release),
        namespace: String(given['namespace']),
        chart: String(given['chart']),
        ...(typeof appVersion === 'string' ? { appVersion } : {}),
      },
      engine: given['engine'] as RenderEngine,
      tagPolicy: given['tagPolicy'] as TagPolicy,
      configMaps: given['configMaps'] === true,
      sharedValues: given['sharedValues'] === true,
    },
    json: given['output'] === 'json',
    color: colorOf(color),
  }
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : []
}

function krmAlone(): Fault {
  return new Fault('USAGE', {
    what: '--krm goes with no other option',
    why: 'a KRM function takes all from its input, so the option would mean nothing',
    remedy: 'write values, release and engine into the spec of the JobGroups',
  })
}

function noValues(): Fault {
  return new Fault('USAGE', {
    what: 'no values are given',
    why: 'Jobs are made of values, and there are none',
    remedy: 'say -f values.yaml, or -f - to read them from a pipe',
  })
}

function stdinTwice(): Fault {
  return new Fault('USAGE', {
    what: '-f - is given twice',
    why: 'the standard input can be read only once',
    remedy: 'write one of the two into a file',
  })
}
