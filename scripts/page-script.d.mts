export function pageScriptModule(): Promise<string>
