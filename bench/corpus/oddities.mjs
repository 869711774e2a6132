import { blockYaml, flowYaml, jsonText } from './emit.mjs'

/**
 * Forms that a quick look for `kind: Job` gets wrong. All of them are legal for Kubernetes and for
 * YAML. Each takes a manifest and gives its text; the truth file names the form in `odd`.
 */
const FORMS = {
  'kind-quoted': (manifest) => block(manifest, /^kind: (\w+)$/m, 'kind: "$1"'),
  'kind-single-quoted': (manifest) => block(manifest, /^kind: (\w+)$/m, "kind: '$1'"),
  'kind-escaped': (manifest) =>
    block(manifest, /^kind: (\w)(\w)/m, (_match, first, second) => {
      const code = second.charCodeAt(0).toString(16).padStart(4, '0')
      return `kind: "${first}\\u${code}`
    }).replace(/^kind: "\w.*$/m, '$&"'),
  'kind-tagged': (manifest) => block(manifest, /^kind: (\w+)$/m, 'kind: !!str $1'),
  'kind-anchored': (manifest) => block(manifest, /^kind: (\w+)$/m, 'kind: &kind $1'),
  'kind-folded': (manifest) => block(manifest, /^kind: (\w+)$/m, 'kind: >-\n  $1'),
  'kind-comment': (manifest) => block(manifest, /^kind: (\w+)$/m, 'kind:   $1   # kind: ConfigMap'),
  'key-quoted': (manifest) => block(manifest, /^kind: /m, '"kind": '),
  'key-explicit': (manifest) => block(manifest, /^kind: (\w+)$/m, '? kind\n: $1'),
  'root-indented': (manifest) => blockYaml(manifest).replace(/^(?=.)/gm, '  '),
  'kind-last': ({ kind, ...rest }) => blockYaml({ ...rest, kind }),
  anchors: (manifest) =>
    block(manifest, /^( *)cpu: (\w+)$/m, '$1cpu: &cpu $2').replace(
      /^( *)memory: (\w+)$/m,
      '$1memory: &memory $2\n$1ephemeral-storage: *memory',
    ),
  json: (manifest) => jsonText(manifest),
  flow: (manifest) => flowYaml(manifest),
}

export const ODD_FORMS = Object.keys(FORMS)

/** Forms that start with `{`: as the first text of a file Kubernetes takes them for JSON. */
export function startsWithBrace(form) {
  return form === 'json' || form === 'flow'
}

export function oddText(form, manifest) {
  return FORMS[form](withoutUndefined(manifest))
}

function block(manifest, pattern, replacement) {
  return blockYaml(manifest).replace(pattern, replacement)
}

function withoutUndefined(value) {
  return JSON.parse(JSON.stringify(value))
}
