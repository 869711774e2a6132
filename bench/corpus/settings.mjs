import { metadata } from './workloads.mjs'

/** Manifests of what is only stored: ConfigMaps, CRDs, ServiceAccounts, and text to fill them. */

/**
 * A ConfigMap with block scalars. With `decoy` one of them holds a whole Job as text, which is no
 * Job of the corpus: no reader may take it for one.
 */
export function configMap(random, { name, namespace, decoy }) {
  const data = { 'app.properties': properties(random, random.between(20, 60)) }
  if (random.chance(0.5)) data['run.sh'] = shell(random, random.between(10, 40))
  if (random.chance(0.5)) data['routes.conf'] = routes(random, random.between(5, 20))
  if (decoy) data['job.yaml'] = decoyText(random, name)
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata(random, { name, namespace, labels: { app: name } }),
    data,
  }
}

function properties(random, count) {
  const lines = []
  for (let n = 0; n < count; n += 1) {
    if (n % 12 === 0) lines.push('', `# ${random.words(8)}`)
    lines.push(`${random.words(3).replaceAll(' ', '.')}=${random.words(random.between(1, 6))}`)
  }
  return `${lines.slice(1).join('\n')}\n`
}

function shell(random, count) {
  const lines = ['#!/bin/sh', 'set -eu', '']
  for (let n = 0; n < count; n += 1) {
    lines.push(
      random.pick([
        `if [ -n "\${${random.words(1).toUpperCase()}:-}" ]; then echo '${random.words(4)}'; fi`,
        `curl -fsS "http://${random.words(1)}.shop.svc:8080/${random.words(1)}" > /tmp/${n}.json`,
        `# ${random.words(9)}`,
        `printf '%s\\n' "${random.words(5)}" >> /tmp/log`,
      ]),
    )
  }
  return `${lines.join('\n')}\n`
}

function routes(random, count) {
  const lines = []
  for (let n = 0; n < count; n += 1) {
    lines.push(
      `location /${random.words(1)}/${n} {`,
      `    proxy_pass http://${random.words(1)}-${n}.shop.svc.cluster.local:8080;`,
      `    proxy_set_header X-Request-Id $request_id;`,
      '}',
      '',
    )
  }
  return `${lines.join('\n').trimEnd()}\n`
}

function decoyText(random, name) {
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: decoy-${name}
spec:
  ttlSecondsAfterFinished: 0
  template:
    spec:
      restartPolicy: Always
      containers:
      - name: main
        image: images.example.org/decoy:latest
        args: ['${random.words(3)}']
`
}

export function serviceAccount(random, { name, namespace }) {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: metadata(random, { name, namespace, labels: { app: name } }),
    automountServiceAccountToken: random.chance(0.5),
  }
}

/** A CRD with a deep schema; `fields` counts the leaves and so decides the size. */
export function customResourceDefinition(random, { plural, fields }) {
  const kind = plural.replace(/(?:^|-)(\w)/g, (_match, letter) => letter.toUpperCase())
  const budget = { left: fields }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: metadata(random, { name: `${plural}.apps.example.org` }),
    spec: {
      group: 'apps.example.org',
      names: { kind, listKind: `${kind}List`, plural, singular: plural },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description: random.words(12),
              properties: {
                apiVersion: { type: 'string' },
                kind: { type: 'string', description: 'The kind, for example kind: Job or CronJob' },
                metadata: { type: 'object' },
                spec: schema(random, budget, 0),
              },
            },
          },
        },
      ],
    },
  }
}

function schema(random, budget, depth) {
  const properties = {}
  while (budget.left > 0) {
    budget.left -= 1
    const name = `${random.words(2).replace(/ (\w)/, (_match, letter) => letter.toUpperCase())}${budget.left}`
    const isLeaf = depth >= 5 || random.chance(0.7)
    properties[name] = isLeaf
      ? {
          type: random.pick(['string', 'integer', 'boolean']),
          description: random.words(random.between(8, 40)),
        }
      : schema(random, budget, depth + 1)
    if (depth > 0 && random.chance(0.15)) break
  }
  return { type: 'object', description: `${random.words(10)}\n${random.words(14)}`, properties }
}
