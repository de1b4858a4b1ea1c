/** The log: JSON lines on stderr. */
import { pino, type DestinationStream } from 'pino'
import type { Log } from '@purlin/core/ports'
import type { Config } from './config.ts'
import { openLogStream } from './log-stream.ts'

export interface ServerLog extends Log {
  /** Resolves when every line is out. */
  flush(): Promise<void>
}

/** Opens the log. Lines are collected for a moment and written together. */
export function openLog(level: Config['logLevel']): ServerLog {
  const stderr = openLogStream(2)
  process.on('exit', () => stderr.flushSync())
  return { ...logTo(stderr, level), flush: () => stderr.flush() }
}

/** A log that writes its lines to a stream. */
export function logTo(stream: DestinationStream, level: Config['logLevel']): Log {
  const formatters = { level: (label: string) => ({ level: label }) }
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters }, stream)
  return {
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
  }
}
