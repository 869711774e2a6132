import { isObject, listAt, stringAt, type JsonObject } from '../../core/json.ts'
import { compareText } from '../../core/text.ts'
import { base64 } from './base-n.ts'
import { plainText, type ChartFiles, type ChartTree } from './chart-tree.ts'
import { goYaml } from './go-yaml.ts'
import { compile } from './regexp.ts'
import { valueOf } from './sprig-json.ts'
import { GoObject, printed, type Value, type ValueMap } from './value.ts'

/** `.Files`: what lies in a chart beside its templates. */
export function filesObject(files: ChartFiles): GoObject {
  const fields: { [path: string]: Value } = {}
  for (const [path, text] of Object.entries(files)) fields[path] = bytesOf(text)
  const named = (encode: (text: string) => string): Value => {
    const made: { [name: string]: Value } = {}
    for (const path of Object.keys(files).sort(compareText)) {
      made[path.slice(path.lastIndexOf('/') + 1)] = encode(files[path] ?? '')
    }
    return goYaml(made)
  }
  const own = (name: Value): string | undefined => {
    const path = printed(name)
    return Object.hasOwn(files, path) ? files[path] : undefined
  }
  return new GoObject({
    type: 'engine.files',
    kind: 'map',
    fields,
    text: `map[${Object.keys(files).sort().join(' ')}]`,
    methods: {
      Get: (name) => own(name) ?? '',
      GetBytes: (name) => bytesOf(own(name) ?? ''),
      Glob: (pattern) => filesObject(matching(files, printed(pattern))),
      AsConfig: () => (Object.keys(files).length === 0 ? '' : named((text) => text)),
      AsSecrets: () => (Object.keys(files).length === 0 ? '' : named(base64)),
      Lines: (name) =>
        own(name) === undefined ? [] : (own(name) ?? '').replace(/\n$/, '').split('\n'),
    },
  })
}

function bytesOf(text: string): GoObject {
  return new GoObject({ type: '[]uint8', kind: 'slice', text, json: base64(text) })
}

/** `*` stays inside of a folder, `**` does not. */
function matching(files: ChartFiles, pattern: string): ChartFiles {
  const compiled = compile(`^(?s:${globbed(pattern)})$`)
  return Object.fromEntries(
    Object.entries(files).filter(([path]) => compiled.match(Array.from(path), 0) !== undefined),
  )
}

function globbed(pattern: string): string {
  let depth = 0
  return pattern.replaceAll(/\*\*|\\.|\[!?[^\]]*\]|[\s\S]/g, (part) => {
    if (part === '**') return '.*'
    if (part === '*') return '[^/]*'
    if (part === '?') return '[^/]'
    if (part.length > 1 && part.startsWith('[')) return part.replace('[!', '[^')
    if (part === '{') depth += 1
    else if (part === '}' && depth > 0) {
      depth -= 1
      return ')'
    }
    if (part === '{') return '(?:'
    if (part === ',' && depth > 0) return '|'
    return part.startsWith('\\') ? part : part.replace(/[\\.+*?()|[\]{}^$]/, '\\$&')
  })
}

const TEXTS = ['Name', 'Home', 'Version', 'Description', 'Icon', 'Condition', 'Tags', 'Type']

/** `.Chart`: Chart.yaml, with all fields that Helm knows. */
export function chartObject({ name, metadata }: ChartTree, isRoot: boolean): GoObject {
  const fields: { [name: string]: Value } = {}
  for (const field of TEXTS) {
    fields[field] = stringAt(metadata, [field.charAt(0).toLowerCase() + field.slice(1)]) ?? ''
  }
  const dependencies = listAt(metadata, ['dependencies']).filter(isObject)
  const json: ValueMap = {
    ...(valueOf(metadata) as ValueMap),
    name,
    ...(metadata['appVersion'] === undefined
      ? {}
      : { appVersion: plainText(metadata, 'appVersion') }),
    IsRoot: isRoot,
  }
  return new GoObject({
    type: 'struct { chart.Metadata; IsRoot bool }',
    text: `{{${name} ${plainText(metadata, 'version')}} ${isRoot}}`,
    json,
    fields: {
      ...fields,
      Name: name,
      Version: plainText(metadata, 'version'),
      APIVersion: plainText(metadata, 'apiVersion'),
      AppVersion: plainText(metadata, 'appVersion'),
      KubeVersion: plainText(metadata, 'kubeVersion'),
      Deprecated: metadata['deprecated'] === true,
      Keywords: listAt(metadata, ['keywords']).map(String),
      Sources: listAt(metadata, ['sources']).map(String),
      Annotations: valueOf(metadata['annotations'] ?? {}),
      Maintainers: listAt(metadata, ['maintainers']).filter(isObject).map(titled),
      Dependencies: dependencies.map(titled),
      IsRoot: isRoot,
    },
  })
}

function titled(object: JsonObject): Value {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key === 'url' ? 'URL' : key.charAt(0).toUpperCase() + key.slice(1),
      valueOf(value),
    ]),
  )
}

/** `.Capabilities` */
export function capabilities(kubeVersion: string, apiVersions: readonly string[]): GoObject {
  const [, major = '1', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(kubeVersion) ?? []
  const known = new Set(apiVersions)
  const version = `v${kubeVersion.replace(/^v/, '')}`
  const parts = { Version: version, Major: major, Minor: minor }
  return new GoObject({
    type: '*chartutil.Capabilities',
    kind: 'ptr',
    fields: {
      KubeVersion: new GoObject({
        type: 'chartutil.KubeVersion',
        text: version,
        fields: parts,
        json: parts,
        methods: { String: () => version, GitVersion: () => version },
      }),
      APIVersions: new GoObject({
        type: 'chartutil.VersionSet',
        kind: 'slice',
        text: `[${apiVersions.join(' ')}]`,
        json: apiVersions,
        methods: { Has: (one) => known.has(printed(one)) },
      }),
      HelmVersion: new GoObject({
        type: 'version.BuildInfo',
        fields: { Version: 'v3.17.2', GitCommit: '', GitTreeState: 'clean', GoVersion: 'go1.23.7' },
      }),
    },
  })
}
