import type { Located } from '../sources.ts'

type Missing = Extract<Located, { missing: string }>['missing']

/** What to say of a path that leads to no folder of this repository, and why that matters. */
export function missing(
  how: Missing,
  path: string,
  engine: string,
): readonly [what: string, why: string] {
  const [what, why] = WORDS[how]
  return [`${path} ${what}`, why.replace('ENGINE', engine)]
}

const WORDS: Readonly<Record<Missing, readonly [string, string]>> = {
  outside: ['leads out of the source', 'ENGINE refuses such a path'],
  foreign: [
    'is in another repository',
    'its source has another address than this repository, so its Jobs cannot be seen from here',
  ],
  'unproven-root': [
    'is the top of a source that may be another repository',
    'no other path of this source exists here, so the Jobs of this repository are not taken for its own',
  ],
  nowhere: [
    'does not exist in this repository',
    'either its source is another repository, or ENGINE reports that the path is missing',
  ],
}
