import { mkdirSync, writeFileSync } from 'node:fs'
import { defineConfig, type UserConfig, type UserConfigExport } from 'tsdown'

/**
 * Two builds. The command line carries every npm package that it uses inside itself, split so that
 * each command, parser and package is read only when it is needed: `semel --version` must start
 * almost as fast as Node does. It is CommonJS for the same reason: Node 20 takes 5 ms more to start
 * an ES module, of 25 ms in all. The library is what `import 'semel'` gives, with its types.
 */
const shared: UserConfig = {
  platform: 'node',
  target: 'node20.19',
  fixedExtension: false,
  hash: false,
  treeshake: true,
  sourcemap: false,
  report: false,
  tsconfig: 'tsconfig.json',
}

const cli: UserConfig = {
  ...shared,
  name: 'cli',
  entry: { main: 'src/cli/main.ts' },
  format: 'cjs',
  checks: { legacyCjs: false },
  outDir: 'dist/cli',
  outExtensions: () => ({ js: '.js' }),
  dts: false,
  deps: { alwaysBundle: /^[^.]/, onlyBundle: false },
  plugins: [markCommonJs(), recordInlined()],
}

const library: UserConfig = {
  ...shared,
  name: 'library',
  entry: {
    index: 'src/index.ts',
    'core/index': 'src/core/index.ts',
    'lint/index': 'src/lint/index.ts',
    'simulate/index': 'src/simulate/index.ts',
  },
  format: 'esm',
  outDir: 'dist',
  clean: ['dist/*.js', 'dist/*.d.ts', 'dist/core', 'dist/lint', 'dist/simulate'],
  dts: { oxc: true },
  deps: { onlyBundle: [] },
}

/** The package as a whole says that `.js` is an ES module; its nearest package.json wins. */
function markCommonJs(): NonNullable<UserConfig['plugins']> {
  return {
    name: 'semel:mark-commonjs',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'package.json', source: '{"type":"commonjs"}\n' })
    },
  }
}

/** Notes which packages ended up inside, for THIRD-PARTY-NOTICES.md (scripts/notices.mjs). */
function recordInlined(): NonNullable<UserConfig['plugins']> {
  return {
    name: 'semel:record-inlined',
    generateBundle(_options, bundle) {
      const names = new Set<string>()
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue
        for (const id of output.moduleIds) {
          const name = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1]
          if (name !== undefined) names.add(name.replaceAll('\\', '/'))
        }
      }
      mkdirSync('node_modules/.cache', { recursive: true })
      writeFileSync('node_modules/.cache/semel-inlined.json', JSON.stringify([...names].sort()))
    },
  }
}

const config: UserConfigExport = defineConfig([cli, library])
export default config
