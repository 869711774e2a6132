// `semel`: everything that the package offers to other programs.
export * from './core/index.ts'
export * from './lint/index.ts'
