import { metadata } from './workloads.mjs'

/** Manifests of what applies others: Flux, Argo CD, flux-operator and kustomize. */

export const OWN_REPOSITORY = 'https://git.example.org/shop/fleet.git'
const OTHER_REPOSITORY = 'https://git.example.org/partner/apps.git'

/** `path` is a folder of the corpus, or undefined for a Kustomization of another repository. */
export function fluxKustomization(random, { name, path, dependsOn }) {
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: metadata(random, { name, namespace: 'flux-system' }),
    spec: {
      interval: random.pick(['1m', '5m', '10m', '30m', '1h']),
      retryInterval: random.chance(0.3) ? '2m' : undefined,
      timeout: random.chance(0.5) ? random.pick(['2m', '5m', '10m']) : undefined,
      path: path === undefined ? `./deploy/${random.words(1)}` : `./${path}`,
      prune: random.chance(0.8),
      force: random.chance(0.1) ? true : undefined,
      wait: random.chance(0.4) ? true : undefined,
      suspend: random.chance(0.03) ? true : undefined,
      targetNamespace: random.chance(0.1) ? random.words(1) : undefined,
      dependsOn: dependsOn === undefined ? undefined : [{ name: dependsOn }],
      sourceRef: { kind: 'GitRepository', name: path === undefined ? 'partner' : 'flux-system' },
      postBuild: random.chance(0.1)
        ? { substitute: { region: random.words(1), cluster: random.words(1) } }
        : undefined,
    },
  }
}

export function helmRelease(random, { name, namespace }) {
  return {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: metadata(random, { name, namespace }),
    spec: {
      interval: random.pick(['10m', '30m', '1h']),
      chart: {
        spec: {
          chart: random.words(1),
          version: `${random.below(5)}.${random.below(20)}.x`,
          sourceRef: { kind: 'HelmRepository', name: 'partner', namespace: 'flux-system' },
        },
      },
      install: { remediation: { retries: random.between(1, 5) } },
      values: {
        replicaCount: random.between(1, 4),
        image: { tag: `${random.below(9)}.${random.below(9)}` },
        config: { text: `${random.words(12)}\n${random.words(12)}\n` },
      },
    },
  }
}

/** `path` is a folder of the corpus, or undefined for an Application of another repository. */
export function application(random, { name, path, recurse }) {
  const automated = random.chance(0.8)
    ? { prune: random.chance(0.7), selfHeal: random.chance(0.6) }
    : undefined
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: metadata(random, { name, namespace: 'argocd' }),
    spec: {
      project: 'default',
      source: {
        repoURL: path === undefined ? OTHER_REPOSITORY : OWN_REPOSITORY,
        targetRevision: 'main',
        path: path ?? `deploy/${random.words(1)}`,
        directory: recurse ? { recurse: true } : undefined,
      },
      destination: { server: 'https://kubernetes.default.svc', namespace: random.words(1) },
      syncPolicy: {
        automated,
        syncOptions: random.chance(0.3)
          ? [random.pick(['ServerSideApply=true', 'CreateNamespace=true', 'Replace=true'])]
          : undefined,
        retry: random.chance(0.3) ? { limit: random.between(1, 5) } : undefined,
      },
    },
  }
}

/** The Job inside is text with `<< >>` in it, no document of its own. */
export function resourceSet(random, { name, namespace }) {
  return {
    apiVersion: 'fluxcd.controlplane.io/v1',
    kind: 'ResourceSet',
    metadata: metadata(random, { name, namespace }),
    spec: {
      inputs: [
        { tenant: random.words(1), tag: '1.2.3' },
        { tenant: random.words(1), tag: '1.2.4' },
      ],
      resourcesTemplate: `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}-<< inputs.tenant >>
  namespace: ${namespace}
spec:
  backoffLimit: 2
  activeDeadlineSeconds: 600
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: images.example.org/${name}:<< inputs.tag >>
`,
    },
  }
}

export function kustomizationFile(random, { files }) {
  return {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namePrefix: random.chance(0.1) ? `${random.words(1)}-` : undefined,
    resources: files,
    commonAnnotations: random.chance(0.2) ? { 'example.org/team': random.words(1) } : undefined,
  }
}
