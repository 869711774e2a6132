export const STARTUP_LIMIT: number
export function startupRatios(rounds: number): { readonly min: number; readonly median: number }
export function measureStartup(options: { readonly rounds?: number }): string
