// Loaded before a measured program: writes its peak memory (kB) to file descriptor 3 at the end.
import { writeSync } from 'node:fs'

process.on('exit', () => {
  writeSync(3, String(process.resourceUsage().maxRSS))
})
