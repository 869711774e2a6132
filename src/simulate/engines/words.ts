/**
 * What a server said, short enough for a line: without the value that it repeats (a whole pod
 * template, for an immutable field), and without line ends.
 */
export function shortWords(message: string): string {
  const text = message
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/Invalid value: \{.*?\}: (?=[A-Za-z ]+(?:$|[,\]]))/g, '')
    .trim()
  return text.length <= MOST ? text : `${text.slice(0, MOST - 1)}…`
}

/** `LabRun lab/run-a was created`, told of that one itself: `it was created`. */
export function ofItself(words: string, carrier: string): string {
  return words.startsWith(`${carrier} `) ? `it${words.slice(carrier.length)}` : words
}

const MOST = 160
