import { describe, expect, it } from 'vitest'
import { fieldPath, type JsonObject } from '../core/json.ts'
import { firstUnrendered } from './rendered.ts'

const job = (container: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: 'x', ...metadata },
  spec: { template: { spec: { containers: [{ image: 'a:1', ...container }] } } },
})
const where = (object: JsonObject, isRendered: boolean): string | undefined => {
  const found = firstUnrendered(object, isRendered)
  return found && `${fieldPath(found.path)} ${found.action}`
}
const IMAGE = 'spec.template.spec.containers[0].image'
const ARGS = 'spec.template.spec.containers[0].args[0]'

describe('text that is still to be rendered', () => {
  it.each([
    ['an image', job({ image: 'a:${TAG}' }), `${IMAGE} \${TAG}`],
    ['a Helm action', job({ image: 'a:{{ .Values.tag }}' }), `${IMAGE} {{ .Values.tag }}`],
    [
      'an input of a ResourceSet',
      job({ image: 'a:<< inputs.tag >>' }),
      `${IMAGE} << inputs.tag >>`,
    ],
    [
      'a key',
      job({ resources: { limits: { '${RESOURCE}': 1 } } }),
      'spec.template.spec.containers[0].resources.limits["${RESOURCE}"] ${RESOURCE}',
    ],
    ['the name', job({}, { name: '${NAME}' }), 'metadata.name ${NAME}'],
    ['the namespace', job({}, { namespace: '{{ .ns }}' }), 'metadata.namespace {{ .ns }}'],
    [
      'what is followed',
      job({}, { annotations: { 'semel.dev/follow': 'ConfigMap/${X}' } }),
      'metadata.annotations["semel.dev/follow"] ${X}',
    ],
  ])('is found in a stream too: %s', (_, object, found) => {
    expect(where(object, true)).toBe(found)
    expect(where(object, false)).toBe(found)
  })

  it.each([
    ['a script', job({ args: ['echo ${HOME}'] }), `${ARGS} \${HOME}`],
    ['an action in a script', job({ args: ['echo {{ .x }}'] }), `${ARGS} {{ .x }}`],
    ['an input in a script', job({ args: ['echo << inputs.x >>'] }), `${ARGS} << inputs.x >>`],
    [
      'a variable',
      job({ env: [{ name: 'A', value: '${X}' }] }),
      'spec.template.spec.containers[0].env[0].value ${X}',
    ],
  ])(
    'is the own business of the program in a stream, and not in a file: %s',
    (_, object, found) => {
      expect(where(object, true)).toBeUndefined()
      expect(where(object, false)).toBe(found)
    },
  )

  it.each([
    ['a here-document', job({ args: ['cat <<EOF >>/tmp/x\nEOF'] })],
    ['$(VARIABLE)', job({ args: ['$(HOME)'] })],
    [
      'Flux is told to leave it',
      job(
        { args: ['${HOME}'] },
        { annotations: { 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' } },
      ),
    ],
    ['other annotations', job({}, { annotations: { 'a/b': '${X}' } })],
    ['nothing', job({})],
    ['no spec', { metadata: { name: 'x' } }],
  ])('is not there: %s', (_, object) => {
    expect(where(object, false)).toBeUndefined()
  })
})
