import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** `npm run test:real`: tests against a real Kubernetes control plane (test/real/rig). */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/real/**/*.test.ts'],
    globalSetup: ['test/real/rig/setup.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
})
export default config
