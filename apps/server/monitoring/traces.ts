/** Traces for the monitoring of operators. Without settings for them, nothing is recorded and no library is loaded. */
import type { World } from '@purlin/core'
import type { Log, Tracer } from '@purlin/core/ports'
import type { Config } from '../process/config.ts'
import { systemIds } from '../process/ports.ts'
import { version } from '../process/version.ts'
import type { Answered } from './metrics.ts'

/** A request under way. */
export interface RequestTrace {
  /** Answers the request: its transactions belong to the trace. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Records the request, with its answer unless it got none. To be called once. */
  end(answer?: Omit<Answered, 'ms'> & { requestId: string }): void
}

/** Records requests, rounds of loops and their transactions, and sends them to a collector. */
export interface Traces {
  tracer: Tracer
  /** The same engine, whose transactions are recorded within requests and rounds. */
  engineOf(engine: World['engine']): World['engine']
  /** Begins a request, within the trace of its `traceparent` (W3C Trace Context) if that is a valid one. */
  begin(traceparent: string | undefined): RequestTrace
  /** Sends the rest, for a limited time. */
  close(): Promise<void>
}

const closeMs = 2_000

/** The traces of a server that has a collector for them. */
export async function tracesOf(
  { tracesTo: url, tracesRatio: ratio, tracesHeaders: headers = {} }: Config,
  log: Log,
): Promise<Traces | undefined> {
  if (url === undefined) return undefined
  const { createTraces } = await import('./open-telemetry.ts')
  return createTraces({ url, ratio, headers, log, version: version(), instance: systemIds.uuid(), closeMs })
}
