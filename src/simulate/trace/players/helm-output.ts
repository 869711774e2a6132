import { cutValues } from '../answers.ts'

/**
 * What a command printed, without what differs from run to run: times of tests, and long values,
 * which the recorder cut.
 */
export function alikeOutput(output: string): string {
  return output
    .split('\n')
    .filter((line) => !/^Last (Started|Completed):/.test(line))
    .map((line) => line.replace(/error=("(?:[^"\\]|\\.)*")/, (_, text: string) => quoted(text)))
    .map(cutValues)
    .join('\n')
    .trim()
}

/** A log line holds the error as quoted text. */
function quoted(text: string): string {
  return `error=${JSON.stringify(cutValues(JSON.parse(text) as string).trim())}`
}
