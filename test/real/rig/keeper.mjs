// Is told process ids on stdin, a line each (`-ID`: that one has ended), and ends those processes
// when stdin closes: that happens however its parent ends, also by SIGKILL.
import { createInterface } from 'node:readline'

const kept = new Set()
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
createInterface(process.stdin)
  .on('line', (line) => {
    if (line.startsWith('-')) kept.delete(Number(line.slice(1)))
    else kept.add(Number(line))
  })
  .on('close', () => {
    for (const pid of kept) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended in the meantime.
      }
    }
    process.exit()
  })
