/** The log: JSON lines on stderr. */
import { pino, type DestinationStream } from 'pino'
import type { Log } from '@purlin/core/ports'
import type { Config } from './config.ts'

/** A log that can be flushed before the process ends. */
export interface ServerLog extends Log {
  flush(): void
}

const buffered = { minLength: 32 * 1024, maxWrite: 64 * 1024, periodicFlush: 500 }

/** Opens the log. Lines are collected for up to half a second, and written at once from `error` up. */
export function openLog(level: Config['logLevel'], to?: DestinationStream): ServerLog {
  const stderr = to ? undefined : pino.destination({ dest: 2, sync: false, ...buffered })
  const flush = () => {
    try {
      stderr?.flushSync()
    } catch {
      // Nobody reads stderr any more, or it is not open yet: there is nobody to tell.
    }
  }
  // A pipe whose reader has gone must not end the server.
  stderr?.on('error', () => undefined)
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  const log = pino(options, to ?? stderr)
  return {
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => {
      log.error(fields, message)
      flush()
    },
    flush,
  }
}
