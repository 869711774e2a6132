import type { JsonObject } from '../../../../src/core/json.ts'
import { create, DEPLOYMENTS, JOBS, PODS, type Script, type Step } from '../script.ts'
import { container, deployment, job, pod, template } from './objects.ts'

/** Each spec in a Job of its own. */
function jobs(specs: readonly JsonObject[], code: number): readonly Step[] {
  return specs.map((spec, index) => create(JOBS, job(`${code}-${index}`, spec), { code }))
}

/** What is refused of pods and their templates. */
export const podValidationScripts: readonly Script[] = [
  {
    title: 'containers: names, ports, probes, mounts',
    steps: jobs(
      [
        [
          { name: 'main', image: 'x' },
          { name: 'main', image: 'y' },
        ],
        [container({ name: 'Main' })],
        [container({ ports: [{ containerPort: 0 }] })],
        [container({ ports: [{ containerPort: 70_000 }] })],
        [container({ ports: [{ containerPort: 80, name: 'toolongaportname' }] })],
        [container({ livenessProbe: {} })],
        [container({ livenessProbe: { exec: {}, periodSeconds: -1 } })],
        [container({ volumeMounts: [{ name: 'absent', mountPath: '/x' }] })],
        [container({ imagePullPolicy: 'Maybe' })],
        [container({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } })],
        [container({ resources: { limits: { cpu: '-1' } } })],
        [container({ resources: { limits: { strange: '1' } } })],
        [container({ env: [{ name: '' }] })],
        [container({ env: [{ name: 'A', value: 'x', valueFrom: {} }] })],
        [container({ terminationMessagePolicy: 'Loud' })],
      ].map((containers) => ({ template: template({ containers }) })),
      422,
    ),
  },
  {
    title: 'quantities that cannot be read are refused in decoding',
    steps: jobs(
      ['x', '1Gx', '1 Gi', '--1', ''].map((memory) => ({
        template: template({ containers: [container({ resources: { limits: { memory } } })] }),
      })),
      400,
    ),
  },
  {
    title: 'volumes: one source each, names once',
    steps: jobs(
      [
        [{ name: 'a' }, { name: 'a' }],
        [{ name: 'a', emptyDir: {}, configMap: { name: 'c' } }],
        [{ name: 'a', configMap: {} }],
        [{ name: 'A', emptyDir: {} }],
        [{ name: 'a', hostPath: { path: '../x' } }],
        [{ name: 'a', configMap: { name: 'c', defaultMode: 999 } }],
        [{ name: 'a', persistentVolumeClaim: {} }],
      ].map((volumes) => ({ template: template({ volumes }) })),
      422,
    ),
  },
  {
    title: 'pods: names of hosts, tolerations, seconds',
    steps: [
      { hostname: 'A' },
      { tolerations: [{ operator: 'Like' }] },
      { activeDeadlineSeconds: 0 },
      { dnsPolicy: 'None' },
      { restartPolicy: 'Sometimes' },
      { serviceAccountName: 'A b' },
      { nodeSelector: { a: 'b c' } },
      { initContainers: [{ name: 'main', image: 'x' }] },
    ].map((spec, index) => create(PODS, pod(`p-${index}`, spec), { code: 422 })),
  },
  {
    title: 'a Deployment needs a selector that its template meets',
    steps: [
      create(DEPLOYMENTS, deployment('a', { selector: null }), { code: 422 }),
      create(DEPLOYMENTS, deployment('b', { selector: {} }), { code: 422 }),
      create(DEPLOYMENTS, deployment('c', { selector: { matchLabels: { app: 'other' } } }), {
        code: 422,
      }),
      create(DEPLOYMENTS, deployment('d', { replicas: -1 }), { code: 422 }),
      create(
        DEPLOYMENTS,
        deployment('e', { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
        { code: 422 },
      ),
      create(
        DEPLOYMENTS,
        deployment('f', { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
        { code: 422 },
      ),
      create(DEPLOYMENTS, deployment('g', { strategy: { rollingUpdate: { maxSurge: '150%' } } })),
      create(DEPLOYMENTS, deployment('h', { progressDeadlineSeconds: 0, minReadySeconds: 9 }), {
        code: 422,
      }),
    ],
  },
]
