/** The log: JSON lines on stderr. */
import { pino, type DestinationStream } from 'pino'
import type { Log } from '@purlin/core/ports'
import type { Config } from './config.ts'
import { bundleLimits } from '@purlin/contract/rules/support-bundles'
import { createLogRing } from './log-ring.ts'
import { openLogStream } from './log-stream.ts'

export interface ServerLog extends Log {
  /** Resolves when every line is out. */
  flush(): Promise<void>
  /** The newest lines. */
  newest(): readonly Uint8Array[]
}

/** Opens the log. Lines are collected for a moment and written together. */
export function openLog(level: Config['logLevel']): ServerLog {
  const stderr = openLogStream(2)
  process.on('exit', () => stderr.flushSync())
  const ring = createLogRing(bundleLimits.log)
  const write = (line: string) => {
    ring.write(line)
    stderr.write(line)
  }
  return { ...logTo({ write }, level), flush: () => stderr.flush(), newest: () => ring.newest() }
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
