import { Fault, FAULTS } from '../../core/faults.ts'
import { didYouMean } from '../../lint/nearest.ts'
import { JOB_GROUP_CODES } from '../../render/problems.ts'
import type { Io } from '../io.ts'
import { allRules } from '../judge.ts'
import { renderMarkdown } from '../markdown.ts'
import { readPage } from '../package-root.ts'
import { paintFor } from '../paint.ts'
import { ruleList } from '../rule-list.ts'
import type { Command } from './command.ts'

/** Prints the page of a rule or of an error code; without a name the list of rules. */
export const explain: Command = {
  get argumentValues() {
    return known()
  },
  define(command) {
    command
      .argument('[rule]', 'id of a rule, or code of a problem; without it all rules are listed')
      .addHelpText('after', EXAMPLES)
  },
  run: async ([name], _options, io) => {
    io.stdout.write(name === undefined ? ruleList(io) : page(name, io))
    return 0
  },
}

const EXAMPLES = `
Examples:
  semel explain                     every rule in one line
  semel explain ttl-causes-rerun    its page
  semel explain CONFIG_STALE        what a problem means
  semel explain JG108               what an error of semel render means
`

function page(name: string, io: Io): string {
  const rule = allRules.find(({ id }) => id === name)
  if (rule === undefined) {
    if (Object.hasOwn(FAULTS, name)) return show(sectionOf(name, 'reference', 'errors.md'), io)
    if (Object.hasOwn(JOB_GROUP_CODES, name)) {
      return show(sectionOf(name, 'render', 'troubleshooting.md'), io)
    }
    throw unknownName(name)
  }
  return show(readPage('rules', `${rule.id}.md`) ?? `# ${rule.id}\n\n${rule.summary}\n`, io)
}

/** A pipe gets the Markdown as it is. */
function show(markdown: string, io: Io): string {
  if (!io.stdout.isTerminal) return markdown
  const width = Math.min(io.stdout.columns ?? 80, 100)
  return renderMarkdown(markdown, { paint: paintFor(io.stdout, 'auto', io.env), width })
}

/** Codes share a page, with a heading for each. */
function sectionOf(code: string, ...at: readonly [string, string]): string {
  const whole = readPage(...at) ?? ''
  const start = whole.indexOf(`## ${code}\n`)
  if (start < 0) return `## ${code}\n`
  const end = whole.indexOf('\n## ', start)
  return `${whole.slice(start, end < 0 ? undefined : end).trimEnd()}\n`
}

function known(): readonly string[] {
  return [...allRules.map(({ id }) => id), ...Object.keys(FAULTS), ...Object.keys(JOB_GROUP_CODES)]
}

function unknownName(name: string): Fault {
  return new Fault('USAGE', {
    what: `there is no rule ${name}.${didYouMean(name, known())}`,
    why: 'semel explain knows the rules and the codes of problems',
    remedy: 'semel explain lists the rules',
  })
}
