/** The part of vitest's json report that counts. */
export interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}
export interface Judgement {
  readonly tests: { readonly passed: number; readonly failed: number; readonly skipped: number }
  readonly complaints: string[]
}
export function judge(report: Report | undefined, code: number, root: string): Judgement
