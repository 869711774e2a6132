/** Manifests of what runs: Deployments, Services, Jobs, CronJobs, and the pods inside them. */

const REGISTRIES = ['images.example.org', 'mirror.example.net/prod', 'library']
const TIERS = ['web', 'worker', 'db', 'edge', 'batch']

export function deployment(random, { name, namespace }) {
  const labels = { app: name, tier: random.pick(TIERS) }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(random, { name, namespace, labels }),
    spec: {
      replicas: random.between(1, 6),
      revisionHistoryLimit: random.between(2, 10),
      selector: { matchLabels: { app: name } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels, annotations: { 'checksum/config': random.hex(64) } },
        spec: podSpec(random, { name, containers: random.between(1, 3), isServer: true }),
      },
    },
  }
}

export function service(random, { name, namespace }) {
  const ports = []
  for (let n = 0; n < random.between(1, 3); n += 1) {
    ports.push({ name: `port-${n}`, port: 8000 + n, targetPort: 8000 + n, protocol: 'TCP' })
  }
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(random, { name, namespace, labels: { app: name } }),
    spec: { type: random.pick(['ClusterIP', 'NodePort']), selector: { app: name }, ports },
  }
}

export function job(random, { name, namespace, annotations }) {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: metadata(random, { name, namespace, labels: { app: name }, annotations }),
    spec: jobSpec(random, name),
  }
}

export function cronJob(random, { name, namespace }) {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: metadata(random, { name, namespace, labels: { app: name } }),
    spec: {
      schedule: `${random.below(60)} ${random.below(24)} * * *`,
      concurrencyPolicy: random.pick(['Allow', 'Forbid', 'Replace']),
      successfulJobsHistoryLimit: random.between(1, 5),
      failedJobsHistoryLimit: random.between(1, 5),
      jobTemplate: { spec: jobSpec(random, name) },
    },
  }
}

/** Jobs with a hash at the end of the name, as people add it, and without. */
export function jobName(random, base) {
  return random.chance(0.6) ? `${base}-${random.hex(8)}` : base
}

function jobSpec(random, name) {
  return {
    backoffLimit: random.between(0, 6),
    activeDeadlineSeconds: random.chance(0.75) ? random.between(5, 60) * 60 : undefined,
    ttlSecondsAfterFinished: random.chance(0.7)
      ? 86400
      : random.chance(0.5)
        ? random.pick([0, 60, 300, 3600])
        : undefined,
    completions: random.chance(0.1) ? random.between(2, 8) : undefined,
    template: {
      metadata: { labels: { app: name } },
      spec: {
        restartPolicy: random.pick(['Never', 'Never', 'OnFailure']),
        ...podSpec(random, { name, containers: 1, isServer: false }),
      },
    },
  }
}

function podSpec(random, { name, containers, isServer }) {
  const list = []
  for (let n = 0; n < containers; n += 1) {
    const containerName = n === 0 ? 'main' : `side-${n}`
    list.push(container(random, { name: containerName, app: name, isServer }))
  }
  return {
    serviceAccountName: random.chance(0.6) ? `${name}-runner` : undefined,
    securityContext: { runAsNonRoot: true, runAsUser: random.between(1000, 2000) },
    containers: list,
    volumes: [
      { name: 'config', configMap: { name: `${name}-config` } },
      { name: 'scratch', emptyDir: {} },
    ],
    tolerations: random.chance(0.3)
      ? [{ key: 'dedicated', operator: 'Equal', value: 'batch', effect: 'NoSchedule' }]
      : undefined,
  }
}

function container(random, { name, app, isServer }) {
  return {
    name,
    image: image(random, app),
    imagePullPolicy: 'IfNotPresent',
    command: isServer ? undefined : ['/bin/sh', '-ec'],
    args: isServer ? [`--listen=:${random.between(8000, 9000)}`] : [script(random)],
    env: environment(random, isServer ? random.between(5, 14) : random.between(2, 8)),
    resources: {
      requests: {
        cpu: `${random.between(1, 20) * 50}m`,
        memory: `${random.between(1, 16) * 64}Mi`,
      },
      limits: { memory: `${random.between(16, 32) * 64}Mi` },
    },
    volumeMounts: [
      { name: 'config', mountPath: '/etc/app', readOnly: true },
      { name: 'scratch', mountPath: '/tmp' },
    ],
    readinessProbe: isServer ? probe(random, '/ready') : undefined,
    livenessProbe: isServer ? probe(random, '/live') : undefined,
  }
}

function image(random, app) {
  const path = `${random.pick(REGISTRIES)}/${app}`
  if (random.chance(0.2)) return `${path}@sha256:${random.hex(64)}`
  if (random.chance(0.1)) return `${path}:latest`
  return `${path}:${random.below(9)}.${random.below(30)}.${random.below(10)}`
}

function environment(random, count) {
  const list = []
  for (let n = 0; n < count; n += 1) {
    const name = `${random.words(2).replace(' ', '_').toUpperCase()}_${n}`
    const isSecret = random.chance(0.3)
    list.push(
      isSecret
        ? { name, valueFrom: { secretKeyRef: { name: `${random.words(1)}-secret`, key: 'value' } } }
        : { name, value: random.chance(0.3) ? String(random.below(9999)) : random.words(3) },
    )
  }
  return list
}

function script(random) {
  const lines = ['set -o pipefail', `echo "start ${random.words(3)}"`]
  for (let n = 0; n < random.between(2, 10); n += 1) {
    lines.push(`/app/run --step ${n} --name "${random.words(2)}" | tee /tmp/step-${n}.log`)
  }
  return `${lines.join('\n')}\n`
}

function probe(random, path) {
  return {
    httpGet: { path, port: 8000 },
    initialDelaySeconds: random.between(1, 20),
    periodSeconds: random.between(5, 30),
    failureThreshold: 3,
  }
}

export function metadata(random, { name, namespace, labels, annotations }) {
  const owner = random.chance(0.05) ? `Jürgen Groß, Αθήνα ${random.words(1)}` : random.words(2)
  return {
    name,
    namespace,
    labels: labels === undefined ? undefined : { ...labels, 'app.kubernetes.io/part-of': 'shop' },
    annotations: { 'example.org/owner': owner, ...annotations },
  }
}
