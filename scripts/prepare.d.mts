export function prepare(): Promise<string | undefined>
export function nodeProblem(version: string): string | undefined
