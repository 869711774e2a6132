// The floor: the standard input to the standard output, as Node copies a stream.
import { pipeline } from 'node:stream/promises'

await pipeline(process.stdin, process.stdout)
