// Strategic merge patches of a Deployment with every directive, for scripts/record-fields.mjs.
import { chance } from './sequences.mjs'

export function randomPatches(seed, count) {
  const roll = chance(seed)
  const patches = []
  for (let at = 0; at < count; at += 1) {
    const spec = {}
    const names = ['a', 'b', 'c', 'd', 'e']
    ordered(spec, 'containers', {
      names,
      list: keyed(names, roll, (name) => container(name, roll)),
      roll,
    })
    if (roll(3) === 0) {
      const volumes = ['v', 'w', 'y']
      ordered(spec, 'volumes', {
        names: volumes,
        list: keyed(volumes, roll, (name) => volume(name, roll)),
        roll,
      })
    }
    patches.push({ spec: { template: { spec } } })
  }
  return patches
}

function container(name, roll) {
  const made = { name }
  if (name === 'e' || roll(2) === 0) made.image = ['j', 'k'][roll(2)]
  if (roll(3) === 0) made.args = [['y'], null, []][roll(3)]
  const names = ['A', 'B', 'C', 'D', 'E']
  if (roll(2) === 0) {
    const list = keyed(names, roll, (env) => ({ name: env, value: ['1', '2'][roll(2)] }))
    ordered(made, 'env', { names, list, roll })
  }
  return made
}

function volume(name, roll) {
  const sources = [{ emptyDir: {} }, { secret: { secretName: 'z' } }]
  const source = sources[roll(2)]
  return { name, $retainKeys: ['name', ...Object.keys(source)], ...source }
}

/** Some of the names, in any order; now and then to be deleted. */
function keyed(names, roll, make) {
  const chosen = shuffled(
    names.filter(() => roll(2) === 0),
    roll,
  )
  return chosen.map((name) => (roll(6) === 0 ? { name, $patch: 'delete' } : make(name)))
}

function ordered(into, key, { names, list, roll }) {
  if (roll(3) === 0) {
    const listed = list.filter(({ $patch }) => $patch === undefined).map(({ name }) => name)
    const order = [...listed]
    for (const name of names) {
      if (!listed.includes(name) && roll(2) === 0) order.splice(roll(order.length + 1), 0, name)
    }
    into[`$setElementOrder/${key}`] = order.map((name) => ({ name }))
  }
  into[key] = list
}

function shuffled(list, roll) {
  const copy = [...list]
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = roll(at + 1)
    ;[copy[at], copy[other]] = [copy[other], copy[at]]
  }
  return copy
}
