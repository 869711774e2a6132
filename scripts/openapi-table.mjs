// Writes src/cluster/fields/schema-table.ts: what the API server knows of the types of the model.
// Lists, maps, keys and patch strategies come from the server's own OpenAPI; what JSON leaves out
// (omitempty, omitzero), pointers and Go's names, which errors show, come from the Go sources.
//
//   kubectl get --raw /openapi/v2 > openapi.json
//   node scripts/openapi-table.mjs openapi.json 0.36.3
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const [openapiFile, version] = process.argv.slice(2)
if (version === undefined) {
  console.error('usage: node scripts/openapi-table.mjs OPENAPI.json VERSION (as 0.36.3)')
  process.exit(2)
}

const ROOTS = `
  core: Namespace ConfigMap Secret ServiceAccount Service Pod Binding Event ResourceQuota Node
    Endpoints PodTemplate LimitRange ReplicationController
  apps: Deployment StatefulSet DaemonSet ReplicaSet ControllerRevision
  batch: Job CronJob
  policy: Eviction
  autoscaling: Scale
  coordination: Lease
  apiextensions: CustomResourceDefinition
  admissionregistration: MutatingAdmissionPolicy MutatingAdmissionPolicyBinding
    ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding MutatingWebhookConfiguration
    ValidatingWebhookConfiguration
  meta: DeleteOptions ObjectMeta`

/** Where the Go sources of a package of types lie, by the first part of our ids. */
const PACKAGES = {
  meta: 'apimachinery@vVERSION/pkg/apis/meta/v1/types.go',
  core: 'api@vVERSION/core/v1/types.go',
  apiextensions: [
    'apiextensions-apiserver@vVERSION/pkg/apis/apiextensions/v1/types.go',
    'apiextensions-apiserver@vVERSION/pkg/apis/apiextensions/v1/types_jsonschema.go',
  ],
}
const PREFIXES = [
  'io.k8s.api.',
  'io.k8s.apimachinery.pkg.apis.',
  'io.k8s.apiextensions-apiserver.pkg.apis.',
]
/** Go's names for what has a form of its own in JSON, and our letter for it. */
const LETTERS = {
  'resource.Quantity': 'q',
  'intstr.IntOrString': 'x',
  'metav1.Time': 't',
  'metav1.MicroTime': 'u',
  'runtime.RawExtension': 'a',
  'metav1.FieldsV1': 'j',
  JSON: 'j',
  JSONSchemaPropsOrArray: 'j',
  JSONSchemaPropsOrBool: 'j',
  JSONSchemaPropsOrStringArray: 'j',
}
const SCALARS = { string: 's', int32: 'i', int64: 'l', bool: 'b', float64: 'f', int: 'l' }
const FOREIGN = { 'types.UID': 'string', 'types.NodeName': 'string' }

const definitions = JSON.parse(readFileSync(openapiFile, 'utf8')).definitions
const cache = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim()
const goPackages = new Map()

/** Structs and named types of one package: fields by JSON name, in Go's order. */
function goPackage(group) {
  const known = goPackages.get(group)
  if (known !== undefined) return known
  const files = [PACKAGES[group] ?? `api@vVERSION/${group}/v1/types.go`].flat()
  const text = files
    .map((file) =>
      readFileSync(path.join(cache, 'k8s.io', file.replace('VERSION', version)), 'utf8'),
    )
    .join('\n')
  const found = { structs: new Map(), named: new Map() }
  for (const [, name, body] of text.matchAll(/^type (\w+) struct ?\{(?:\n([\s\S]*?)^)?\}/gm)) {
    found.structs.set(name, goFields(body ?? ''))
  }
  for (const [, name, type] of text.matchAll(/^type (\w+) ([\w[\].]+)$/gm)) {
    if (type !== 'struct') found.named.set(name, type)
  }
  goPackages.set(group, found)
  return found
}

function goFields(body) {
  const fields = []
  let fallback
  for (const line of body.split('\n')) {
    const marker = /\+default=(.+)$/.exec(line)
    if (marker !== null) fallback = marker[1]
    const match = /^\s*(?:(\w+)\s+)?([\w.*[\]]+)\s+`json:"([^"]*)"/.exec(line)
    if (match === null) continue
    const [, , type, tag] = match
    const [name, ...options] = tag.split(',')
    if (name !== '-') fields.push({ name, type, options, fallback })
    fallback = undefined
  }
  return fields
}

/** The fields of a struct with those of its inlined structs in their place. */
function fieldsOf(group, struct, inlined = '') {
  const fields = goPackage(group).structs.get(struct)
  if (fields === undefined) throw new Error(`no Go struct ${group} ${struct}`)
  return fields.flatMap((field) => {
    if (field.name !== '' || !field.options.includes('inline'))
      return [{ ...field, group, inlined }]
    const [innerGroup, inner] = goName(group, field.type.replace('*', ''))
    return fieldsOf(innerGroup, inner, inner === 'TypeMeta' ? '' : `${inlined}${inner}>`)
  })
}

function goName(group, type) {
  if (!type.includes('.')) return [group, type]
  const [alias, name] = type.split('.')
  if (alias === 'metav1') return ['meta', name]
  if (alias === 'v1' || alias === 'corev1') return ['core', name]
  return [alias.replace(/v1$/, ''), name]
}

/** How Go prints a type in errors. */
function printed(group, type) {
  if (type.startsWith('*')) return `*${printed(group, type.slice(1))}`
  if (type.startsWith('[]')) return `[]${printed(group, type.slice(2))}`
  const map = /^map\[([\w.]+)\](.+)$/.exec(type)
  if (map !== null) return `map[${printed(group, map[1])}]${printed(group, map[2])}`
  if (type === 'byte') return 'uint8'
  if (SCALARS[type] !== undefined || /^(?:types|resource|intstr|runtime)\./.test(type)) return type
  return `v1.${goName(group, type)[1]}`
}

const lines = new Map()

function definitionOf(id) {
  for (const prefix of PREFIXES) {
    if (definitions[prefix + id] !== undefined) return definitions[prefix + id]
  }
  throw new Error(`no OpenAPI definition of ${id}`)
}

function write(id) {
  if (lines.has(id)) return
  lines.set(id, '')
  const [group, , struct] = id.split('.')
  const definition = definitionOf(id)
  const fields = fieldsOf(group, struct)
  const properties = definition.properties ?? {}
  const names = new Set(fields.map(({ name }) => name))
  for (const name of Object.keys(properties)) {
    if (!names.has(name)) throw new Error(`${id}.${name} is in OpenAPI and not in Go`)
  }
  const words = fields
    .filter(({ name }) => properties[name] !== undefined)
    .map((field) => written(field, properties[field.name]))
  const atomic = definition['x-kubernetes-map-type'] === 'atomic' ? '~' : ''
  lines.set(id, `${id}${atomic} ${words.join(' ')}`)
}

function written({ group, name, type, options, fallback, inlined }, property) {
  const pointer = type.startsWith('*')
  const empty = options.includes('omitempty') ? '?' : ''
  const zero = options.includes('omitzero') ? '0' : ''
  const bare = pointer ? type.slice(1) : type
  const form = formOf(group, bare, property)
  const list = listOf(property)
  const strategy = property['x-kubernetes-patch-strategy']
  const key = property['x-kubernetes-patch-merge-key']
  const patch = strategy === undefined ? '' : `&${strategy}${key === undefined ? '' : `(${key})`}`
  const relation = { atomic: '~', granular: '+' }[property['x-kubernetes-map-type']] ?? ''
  const value =
    fallback === undefined || fallback.startsWith('ref(') ? '' : `=${fallback.replaceAll('"', '')}`
  return `${inlined}${name}${empty}${zero}${pointer ? '*' : ''}:${form}${list}${relation}${patch}${value}`
}

/** As the server turns OpenAPI into a schema for apply: the list type decides, else the patch. */
function listOf(property) {
  const keys = property['x-kubernetes-list-map-keys']
  const type = property['x-kubernetes-list-type']
  if (type === 'set') return '#'
  if (type === 'map') return `#(${keys.join(',')})`
  if (type === 'atomic' || property.type !== 'array') return ''
  const strategy = property['x-kubernetes-patch-strategy']
  if (strategy === undefined || !strategy.startsWith('merge')) return ''
  const key = property['x-kubernetes-patch-merge-key']
  return key === undefined ? '#' : `#(${key})`
}

function formOf(group, type, schema) {
  const named = group === 'meta' && !type.includes('.') ? `metav1.${type}` : type
  const letter = LETTERS[named] ?? LETTERS[type]
  if (letter !== undefined) return letter
  if (type === '[]byte') return 'y'
  if (type.startsWith('[]')) return `[${formOf(group, type.slice(2), schema.items)}`
  const map = /^map\[([\w.]+)\](.+)$/.exec(type)
  if (map !== null) {
    const key = printed(group, map[1])
    const shown = key === 'string' ? '' : `<${printed(group, type)}>`
    return `{${shown}${formOf(group, map[2], schema.additionalProperties)}`
  }
  if (SCALARS[type] !== undefined) return SCALARS[type]
  if (FOREIGN[type] !== undefined) return `${SCALARS[FOREIGN[type]]}<${type}>`
  const [innerGroup, inner] = goName(group, type)
  const under = goPackage(innerGroup).named.get(inner)
  if (under !== undefined) {
    const form = formOf(innerGroup, under, schema)
    return `${form[0]}<v1.${inner}>${form.slice(1).replace(/^<[^>]*>/, '')}`
  }
  const id = `${innerGroup}.v1.${inner}`
  write(id)
  return `@${id}`
}

let group = ''
for (const word of ROOTS.trim().split(/\s+/)) {
  if (word.endsWith(':')) group = word.slice(0, -1)
  else write(`${group}.v1.${word}`)
}
const text = [...lines.values()].sort((one, other) => (one < other ? -1 : 1)).join('\n')
const target = fileURLToPath(new URL('../src/cluster/fields/schema-table.ts', import.meta.url))
writeFileSync(
  target,
  `// Written by scripts/openapi-table.mjs from the API server's OpenAPI and Go types; not by hand.
// One type a line; schema.ts reads it and tells what the signs mean.
export const TABLE_VERSION = '${version.replace(/^0/, '1')}'

export const TABLE = \`
${text}
\`
`,
)
console.log(`${lines.size} types, ${text.length} bytes`)
