import fs from 'node:fs'
import { it } from 'vitest'
import { parse } from 'yaml'
import { REALISTIC, IDEALISED } from '../actor.ts'
import { world } from './testing.ts'
const dir = '/work/shared/traces/kubernetes'
const only = process.env['ONLY']?.split(',')
it('replays', () => {
  const all = fs.readdirSync(dir).filter((f: string) => only ? only.some((o) => f.startsWith(o)) : /^0(5|6|70|71|79c|91b)|^106b/.test(f))
  for (const file of all) {
    const t = JSON.parse(fs.readFileSync(`${dir}/${file}`, 'utf8'))
    const w = world({ at: t.observed.wallClockAtZero, latencies: process.env['IDEAL'] ? IDEALISED : REALISTIC })
    const out: string[] = []
    const ns0 = /^049/.test(file) ? t.observed.jobs[0].namespace : undefined
    if (ns0) w.cluster.request({ verb: 'create', user: 'x', resource: { group: '', version: 'v1', resource: 'namespaces' }, body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ns0 } } })
    const R = (k: string) => ({ group: k === 'Pod' || k === 'Namespace' ? '' : 'batch', version: 'v1', resource: `${k.toLowerCase()}s` })
    try {
      for (const e of t.events) {
        w.until(e.t)
        if (e.do === 'apply') { for (const text of Object.values(t.files[e.files] ?? {})) { const m = parse(text as string, {}); try { if (ns0) { console.log(w.ask({ verb: 'create', resource: R(m.kind), namespace: ns0, body: m }).code) } else w.create(m) } catch (x) { out.push('create ' + String(x).slice(0, 200)); } } }
        else if (e.do === 'patch') { const [k, rest] = e.object.split('/'); const n = rest.split(' ')[0]; const a = w.merge(R(k), n, e.object.endsWith(' status') ? { status: e.patch } : e.patch, e.object.endsWith(' status') ? 'status' : undefined); if (a.code !== 200) out.push('patch ' + a.code + JSON.stringify(a.body).slice(0, 300)) }
        else if (e.do === 'delete') { if (e.command) { out.push(JSON.stringify(e)); } const [k, n] = (e.object ?? 'CronJob/x').split('/'); const ns = t.observed.jobs[0]?.namespace
 const a = w.ask({ verb: 'delete', resource: R(k), ...(k === 'Namespace' ? { name: ns, namespace: undefined as any } : { name: n }), body: { kind: 'DeleteOptions', apiVersion: 'v1', ...(e.propagation ? { propagationPolicy: e.propagation } : {}) } }); out.push(`delete ${e.object} ${a.code}`) }
        else if (e.do === 'stopEngine') for (const a of ['cronjob-controller', 'job-controller', 'ttl-after-finished-controller', 'generic-garbage-collector']) w.cluster.stop(a)
        else if (e.do === 'startEngine') for (const a of ['cronjob-controller', 'job-controller', 'ttl-after-finished-controller', 'generic-garbage-collector']) w.cluster.start(a)
        else out.push('?' + JSON.stringify(e).slice(0, 300))
      }
      let end = 5
      for (const j of t.observed.jobs) { end = Math.max(end, j.created); for (const c of j.conditions) end = Math.max(end, c.t); for (const p of j.pods) end = Math.max(end, p.ended ?? 0, p.deleted ?? 0, p.created) }
      for (const j of t.observed.engine) end = Math.max(end, j.t)
      w.until(end + 1)
    } catch (e) { out.push(String((e as Error).stack)) }
    const f = (x: unknown) => (x === null || x === undefined ? '-' : Number(x).toFixed(2))
    console.log('== ' + t.id + ' :: ' + t.answer.summary + '\n' + out.slice(0, 12).join('\n'))
    const real = t.observed.jobs.slice().sort((a: any, b: any) => a.created - b.created || (a.name < b.name ? -1 : 1))
    const mine = w.lives.filter((l) => l.kind === 'Job').map((l) => ({ ...l })).sort((a, b) => a.created - b.created || (a.name < b.name ? -1 : 1))
    for (let i = 0; i < Math.max(real.length, mine.length); i++) {
      const r = real[i]; const m: any = mine[i]
      if (m?.deleted !== undefined) m.deletionRequested ??= m.deleted
      const bad = !r || !m || r.name !== m.name || ['created', 'deletionRequested', 'deleted'].some((k) => ((r[k] ?? null) === null) !== ((m as any)[k] === undefined) || Math.abs((r[k] ?? 0) - ((m as any)[k] ?? 0)) > 1)
      const c = r?.conditions.find((x: any) => x.type === 'Complete' || x.type === 'Failed')
      console.log((bad ? '!!! ' : '    ') + `real ${r ? `${r.name} c ${f(r.created)} e ${c ? c.type + c.t : '-'} dr ${f(r.deletionRequested)} d ${f(r.deleted)}` : 'none'} | mine ${m ? `${m.name} c ${f(m.created)} e ${m.ended} dr ${f(m.deletionRequested)} d ${f(m.deleted)}` : 'none'}`)
    }
    if (process.env['REQ']) console.log(w.requests.map((r) => r.at + ' ' + r.what + ' ' + r.code).join('\n'))
    if (process.env['EVENTS']) {
      for (const x of t.observed.engine) if (x.event?.object.startsWith('CronJob')) console.log('  real', x.t, x.event.reason, x.event.message, x.event.count ?? '')
      for (const x of w.events) if (x.about.kind === 'CronJob') console.log('  mine', (x.at - w.zero) / 1000, x.reason, x.message)
    }
  }
}, 120000)
