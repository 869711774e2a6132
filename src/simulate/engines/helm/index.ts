export { helmClient, type HelmCall } from './client.ts'
export type { HelmVersion } from './contract.ts'
export { historyOf } from './storage.ts'
