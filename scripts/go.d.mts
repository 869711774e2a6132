export function goVersion(): string | undefined
export function goProblem(version: string | undefined): string | undefined
export function goEnvironment(version: string): Readonly<Record<string, string>>
