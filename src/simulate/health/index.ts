export type { Health } from './health.ts'
export { kstatus } from './kstatus.ts'
export { absentStatus, fluxStatus, jobStatus } from './flux.ts'
