/** A Job as text; `metadata` and `spec` are lines with their own indentation. */
export function jobText(
  name: string,
  options: {
    readonly namespace?: string
    readonly annotations?: Readonly<Record<string, string>>
    readonly image?: string
    readonly args?: string
    readonly spec?: string
  } = {},
): string {
  const {
    namespace,
    annotations = {},
    image = 'registry.example.test/app:1.2',
    args = '[up]',
  } = options
  const notes = Object.entries(annotations).map(
    ([key, value]) => `    ${key}: ${JSON.stringify(value)}`,
  )
  return [
    'apiVersion: batch/v1',
    'kind: Job',
    'metadata:',
    `  name: ${name}`,
    ...(namespace === undefined ? [] : [`  namespace: ${namespace}`]),
    ...(notes.length === 0 ? [] : ['  annotations:', ...notes]),
    'spec:',
    ...(options.spec === undefined ? [] : [options.spec]),
    '  template:',
    '    spec:',
    '      restartPolicy: Never',
    '      containers:',
    '      - name: main',
    `        image: ${image}`,
    `        args: ${args}`,
    '',
  ].join('\n')
}

export function stream(...documents: readonly string[]): string {
  return documents.join('---\n')
}
