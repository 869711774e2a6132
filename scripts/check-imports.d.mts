export interface Problem {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}
export const rooms: Readonly<
  Record<string, { readonly may: readonly string[]; readonly pure: boolean }>
>
export function problemsOf(file: string, text: string): Problem[]
export function sourceFiles(root: string, folder?: string): string[]
export function checkTree(root: string): string[]
