const NAMES =
  'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT RTMAX ' +
  Array.from({ length: 14 }, (_, at) => `RTMAX-${at + 1}`).join(' ') +
  ' RTMIN ' +
  Array.from({ length: 15 }, (_, at) => `RTMIN+${at + 1}`).join(' ') +
  ' SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ'

/** Signals that a container may be stopped with, in the order in which complaints list them. */
export const LINUX_SIGNALS: readonly string[] = NAMES.split(' ')
  .map((name) => `SIG${name}`)
  .sort()

export const WINDOWS_SIGNALS: readonly string[] = ['SIGKILL', 'SIGTERM']
