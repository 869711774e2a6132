import { describe, expect, it } from 'vitest'
import { jobsOf } from './config.ts'
import { readHcl, type HclBlock } from './hcl.ts'
import { providerOf } from './provider.ts'

function read(text: string): HclBlock {
  const found = readHcl(text)
  if ('what' in found) throw new Error(`${found.line}: ${found.what}`)
  return found
}

describe('readHcl', () => {
  it('reads blocks, values, comments and heredocs', () => {
    const root = read(`
# a comment
locals { /* none */ }
resource "a" "b" {
  text    = "say \\"hi\\"\\n" // more
  number  = -1.5
  yes     = true
  nothing = null
  list    = ["x", 2, [],]
  map     = { key = "v", "odd/key" = 1, other: 2 }
  script  = <<-EOT
    one
      two
  EOT
  inner { deep = 1 }
}
`)
    expect(root.blocks.map(({ type, labels }) => [type, ...labels])).toEqual([
      ['locals'],
      ['resource', 'a', 'b'],
    ])
    const [, block] = root.blocks
    expect(block?.attributes).toEqual({
      text: 'say "hi"\n',
      number: -1.5,
      yes: true,
      nothing: null,
      list: ['x', 2, []],
      map: { key: 'v', 'odd/key': 1, other: 2 },
      script: 'one\n  two\n',
    })
    expect(block?.blocks[0]).toMatchObject({ type: 'inner', attributes: { deep: 1 } })
  })

  it('keeps what would have to be computed as its text', () => {
    const { attributes } = read(`
tag   = var.tag
image = "registry.example.test/a:\${var.tag}"
when  = var.on ? "a" : max(1, 2)
list  = [var.one, "two"]
`)
    expect(attributes).toEqual({
      tag: '${var.tag}',
      image: 'registry.example.test/a:${var.tag}',
      when: '${var.on ? "a" : max(1, 2)}',
      list: ['${var.one}', 'two'],
    })
  })

  it.each([
    ['a {', 1, 'the block a is not closed'],
    ['x = 1\ny = "', 2, 'a string is not closed'],
    ['x = [1', 1, 'a list is not closed'],
    ['?', 1, 'a name was expected: ?'],
    ['x =', 1, 'a value was expected: '],
  ])('says where %j cannot be read', (text, line, what) => {
    expect(readHcl(text)).toEqual({ line, what })
  })
})

describe('jobsOf', () => {
  it('makes the object that the provider sends, with its defaults', () => {
    const [job] = jobsOf(
      read(`
resource "kubernetes_config_map" "other" {}
resource "kubernetes_job_v1" "seed" {
  metadata {
    name   = "seed"
    labels = { "example.test/a_b" = "c" }
  }
  spec {
    ttl_seconds_after_finished = 600
    template {
      metadata {}
      spec {
        service_account_name = "seeder"
        node_selector = { disk_type = "fast" }
        container {
          name    = "task"
          image   = "seed:3"
          command = ["seed"]
          env {
            name  = "A"
            value = "1"
          }
          env {
            name = "B"
            value_from {
              secret_key_ref {
                name = "s"
                key  = "k"
              }
            }
          }
          volume_mount {
            name       = "v"
            mount_path = "/v"
          }
        }
        volume {
          name = "v"
          config_map { name = "c" }
        }
      }
    }
  }
  wait_for_completion = false
  timeouts { create = "5m" }
}`),
    )
    expect(job).toMatchObject({
      address: 'kubernetes_job_v1.seed',
      waits: false,
      timeouts: { createMs: 300_000, deleteMs: 60_000 },
      object: {
        metadata: { name: 'seed', namespace: 'default', labels: { 'example.test/a_b': 'c' } },
      },
    })
    expect(job?.object['spec']).toEqual({
      backoffLimit: 6,
      completions: 1,
      parallelism: 1,
      ttlSecondsAfterFinished: 600,
      template: {
        metadata: {},
        spec: {
          restartPolicy: 'Never',
          serviceAccountName: 'seeder',
          nodeSelector: { disk_type: 'fast' },
          containers: [
            {
              name: 'task',
              image: 'seed:3',
              command: ['seed'],
              env: [
                { name: 'A', value: '1' },
                { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
              ],
              volumeMounts: [{ name: 'v', mountPath: '/v' }],
            },
          ],
          volumes: [{ name: 'v', configMap: { name: 'c' } }],
        },
      },
    })
  })
})

describe('providerOf', () => {
  it.each([
    ['2.33.0', false],
    ['2.34.0', true],
    ['v2.35.0', true],
    ['2.35.1', false],
    ['2.36.0', false],
    ['3.2.1', false],
    [undefined, false],
  ])('%s keeps an expired Job in its state: %s', (version, keepsExpired) => {
    expect(providerOf(version)).toEqual({ keepsExpired })
  })
})
