import { it } from 'vitest'
import { stampText } from '../../test/stamp/harness.ts'
const job = (meta: string, args = '[a]') => `apiVersion: batch/v1
kind: Job
metadata:
${meta}spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: shop/app:1.2
        args: ${args}
`
it('x', () => {
  for (const text of [
    job('  name: migrate # c\n'),
    job('    name: "migrate"\n    annotations: {} # x\n    labels:\n        a: b\n'),
    job("  name: 'migrate'\n  annotations:\n  labels: {a: b}\n"),
    job('  name: >-\n    migrate\n  annotations: &a\n    b: |\n      x\n'),
    job('  name: migrate\n') +
      '---\n' +
      job('  name: wait\n', '[wait, --for=condition=complete, job/migrate]').replaceAll(
        '\n',
        '\r\n',
      ),
    '{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"x"},"spec":{"template":{"spec":{"containers":[{"image":"a"}]}}}}',
    JSON.stringify(
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'x', annotations: { a: 'b' } },
        spec: { template: { spec: { containers: [{ image: 'a' }] } } },
      },
      null,
      2,
    ),
    'apiVersion: v1\nkind: List\nitems:\n' +
      job('  name: x\n  annotations: {a: b}\n')
        .replace(/^/gm, '  ')
        .replace('  api', '- api')
        .trimEnd(),
  ]) {
    const result = stampText(text)
    console.log(
      result.output,
      JSON.stringify(result.faults.map((f) => [f.code, f.what])),
      result.notes.map((n) => n.text),
      result.findings.map((n) => n.what + n.why),
      result.references.map((r) => r.role),
    )
    const again = stampText(result.output)
    console.log(
      again.output === result.output,
      again.objects.map((o) => o.state),
    )
  }
})
