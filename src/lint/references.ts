import { at, isList, isObject, listAt, stringAt, type Json, type Path } from '../core/json.ts'
import { isTemplated } from '../core/templates.ts'

/** An object that a pod cannot start without. */
export interface Reference {
  readonly kind: 'ConfigMap' | 'PersistentVolumeClaim' | 'Secret' | 'ServiceAccount'
  readonly name: string
  readonly path: Path
  /** For a sentence: `reads`, `mounts`, `runs as`, `pulls its image with`. */
  readonly how: string
}

/**
 * What a pod spec refers to by name: env, envFrom, volumes, account and pull secrets. What is
 * marked optional, or may be by a template, counts only if `optional` says so; the account
 * `default`, which every namespace has, never does.
 */
export function referencesOf(
  podSpec: Json | undefined,
  base: Path,
  { optional = false }: { readonly optional?: boolean } = {},
): readonly Reference[] {
  const references: Reference[] = []
  const add = (kind: Reference['kind'], how: string, path: Path): void => {
    const name = stringAt(podSpec, path)
    if (name === undefined || name === '') return
    if (!optional && isOptional(at(podSpec, path.slice(0, -1)))) return
    references.push({ kind, name, how, path: [...base, ...path] })
  }
  for (const list of ['initContainers', 'containers']) {
    for (const index of listAt(podSpec, [list]).keys()) {
      for (const { kind, path } of ofContainer(at(podSpec, [list, index]))) {
        add(kind, 'reads', [list, index, ...path])
      }
    }
  }
  for (const [index, volume] of listAt(podSpec, ['volumes']).entries()) {
    for (const { kind, path } of ofVolume(volume)) add(kind, 'mounts', ['volumes', index, ...path])
  }
  const account = ['serviceAccountName', 'serviceAccount'].find(
    (field) => stringAt(podSpec, [field]) !== undefined,
  )
  if (account !== undefined && stringAt(podSpec, [account]) !== 'default') {
    add('ServiceAccount', 'runs as', [account])
  }
  for (const index of listAt(podSpec, ['imagePullSecrets']).keys()) {
    add('Secret', 'pulls its image with', ['imagePullSecrets', index, 'name'])
  }
  return references
}

interface Found {
  readonly kind: Reference['kind']
  readonly path: Path
}

function ofContainer(container: Json | undefined): readonly Found[] {
  const sources = listAt(container, ['envFrom']).flatMap((source, index) =>
    refsIn(
      source,
      ['envFrom', index],
      [
        ['configMapRef', 'ConfigMap'],
        ['secretRef', 'Secret'],
      ],
    ),
  )
  const values = listAt(container, ['env']).flatMap((variable, index) =>
    refsIn(
      at(variable, ['valueFrom']),
      ['env', index, 'valueFrom'],
      [
        ['configMapKeyRef', 'ConfigMap'],
        ['secretKeyRef', 'Secret'],
      ],
    ),
  )
  return [...sources, ...values]
}

function ofVolume(volume: Json): readonly Found[] {
  const found: readonly Found[] = [
    { kind: 'ConfigMap', path: ['configMap', 'name'] },
    { kind: 'Secret', path: ['secret', 'secretName'] },
    { kind: 'PersistentVolumeClaim', path: ['persistentVolumeClaim', 'claimName'] },
  ]
  const projected = listAt(volume, ['projected', 'sources'])
  return [
    ...found,
    ...projected.flatMap((source, index) =>
      refsIn(
        source,
        ['projected', 'sources', index],
        [
          ['configMap', 'ConfigMap'],
          ['secret', 'Secret'],
        ],
      ),
    ),
  ]
}

function refsIn(
  value: Json | undefined,
  base: Path,
  fields: readonly (readonly [field: string, kind: Reference['kind']])[],
): readonly Found[] {
  return fields.flatMap(([field, kind]) =>
    isObject(at(value, [field])) ? [{ kind, path: [...base, field, 'name'] }] : [],
  )
}

function isOptional(holder: Json | undefined): boolean {
  const optional = at(holder, ['optional'])
  return optional === true || isTemplated(optional)
}

/** Where the pod template's spec stands in a workload of any kind. */
export function podSpecPath(kind: string): Path {
  return kind === 'CronJob'
    ? ['spec', 'jobTemplate', 'spec', 'template', 'spec']
    : ['spec', 'template', 'spec']
}

/** All texts of a container's command and arguments. */
export function commandOf(container: Json | undefined): readonly string[] {
  return ['command', 'args'].flatMap((field) => {
    const value = at(container, [field])
    return isList(value) ? value.filter((text) => typeof text === 'string') : []
  })
}

/**
 * Names as they can be compared: what differs in a template without changing what it prints
 * (blanks, trim marks, `$`, `quote`) is taken away.
 */
export function nameKey(name: string): string {
  return name.replaceAll(/\{\{-?\s*([\s\S]*?)\s*-?\}\}/g, (_, body: string) => {
    const plain = body
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/\$(?=\.[A-Z])/g, '')
      .replaceAll(/(?<=[ (])\$(?=[ )]|$)/g, '.')
      .replaceAll(/ ?\| ?s?quote\b/g, '')
      .trim()
    return `{{${plain}}}`
  })
}
