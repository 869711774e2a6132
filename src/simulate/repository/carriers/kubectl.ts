import { jobsOf, namespacesOf } from '../jobs.ts'
import { folderOf, type Around, type Load, type Part } from '../part.ts'

/** Jobs of which nothing tells who applies them: somebody does so once, with kubectl. */
export function kubectl({ subjects }: Load, around: Around): Part {
  const jobs = jobsOf(subjects, around, { namespace: 'default', twice: TWICE })
  const isGiven = subjects.some(({ engineGiven }) => engineGiven)
  return {
    kind: 'kubectl',
    isAssumed: !isGiven,
    carriers: [],
    files: folderOf('files', jobs.objects, around),
    lanes: jobs.lanes,
    namespaces: namespacesOf(jobs.objects),
    notes: isGiven
      ? []
      : [
          {
            id: 'assumed',
            what: 'nothing in this repository applies them: somebody did so once, with kubectl apply',
            why: '--engine says what does, where it is something else',
            subjects,
          },
        ],
  }
}

const TWICE = 'another object of this name stands in another file, and only one can be applied'
