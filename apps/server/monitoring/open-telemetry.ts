/** Traces by OpenTelemetry, sent as OTLP over HTTP (JSON). They have names of the contract, never of resources or users. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import {
  ATTR_DB_SYSTEM_NAME,
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_HEADER,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_VERSION,
  DB_SYSTEM_NAME_VALUE_POSTGRESQL,
} from '@opentelemetry/semantic-conventions'
import { operations } from '@purlin/contract/operations'
import type { World } from '@purlin/core'
import type { Log, TransactionMode } from '@purlin/core/ports'
import type { RequestTrace, Traces } from './traces.ts'

interface Collector {
  url: string
  headers: Record<string, string>
  /** The share of traces without a parent that are recorded, 0 to 1. */
  ratio: number
  version: string
  /** A name of this process, as no other has. */
  instance: string
  log: Log
  /** The longest time to send the rest at the end, ms. */
  closeMs: number
}

type Engine = World['engine']

/** A transaction that has ended. Times in ms since 1970. */
interface Transaction {
  /** The name of the database system, by the semantic conventions. */
  system: string
  mode: TransactionMode
  start: number
  end: number
  failure: string | undefined
}

/** A request or round under way. Its transactions become spans once it is known that it is recorded. */
interface Scope {
  hasEnded: boolean
  hasWritten: boolean
  transactions: Transaction[]
}

// The newest spans are dropped beyond this number: a collector that is away costs no more memory.
const queued = 2048
const batch = 512
// At the end, the whole queue is sent at once, while one batch is on its way.
const inFlight = 1 + queued / batch
const sendMs = 10_000
/** Further transactions of the same request or round are left out. */
const mostTransactions = 100
// No attribute is longer: all are words of ours.
const spanLimits = { attributeValueLengthLimit: 200, attributeCountLimit: 20 }

/** Records traces for a collector. An unreachable one never delays or fails what is recorded. */
export function createTraces(at: Collector): Traces {
  const provider = createProvider(at)
  const tracer = provider.getTracer('purlin', at.version)
  const scopes = new AsyncLocalStorage<Scope>()

  async function round<T>(loop: string, work: () => Promise<T>): Promise<T> {
    const span = tracer.startSpan(`loop ${loop}`, { attributes: { 'purlin.loop': loop } }, ROOT_CONTEXT)
    const scope = newScope()
    try {
      return await scopes.run(scope, work)
    } catch (error) {
      scope.hasWritten = true
      span.setAttributes(errorType(nameOf(error))).setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      scope.hasEnded = true
      // A span that never ends is not sent.
      if (scope.hasWritten) {
        addTransactions(tracer, span, scope)
        span.end()
      }
    }
  }

  function begin(traceparent: string | undefined): RequestTrace {
    const span = tracer.startSpan('unknown', { kind: SpanKind.SERVER }, parentOf(traceparent))
    const scope = newScope()
    return {
      run: (work) => scopes.run(scope, work),
      end(answer) {
        scope.hasEnded = true
        if (answer) describe(span, answer)
        else span.setStatus({ code: SpanStatusCode.ERROR })
        addTransactions(tracer, span, scope)
        span.end()
      },
    }
  }

  return {
    tracer: { round },
    engineOf(engine) {
      const system = engine.name === 'postgres' ? DB_SYSTEM_NAME_VALUE_POSTGRESQL : engine.name
      const { independentTransaction: independent } = engine
      return {
        ...engine,
        transaction: recording((mode, work, reads) => engine.transaction(mode, work, reads), scopes, system),
        ...(independent ? { independentTransaction: recording(independent, scopes, system) } : {}),
      }
    },
    begin,
    async close() {
      const isSent = provider.shutdown().catch(() => undefined)
      await Promise.race([isSent, wait(at.closeMs, undefined, { ref: false })])
    },
  }
}

/** Makes spans of the transactions of a request or round. */
function addTransactions(tracer: Tracer, span: Span, { transactions }: Scope): void {
  const context = trace.setSpan(ROOT_CONTEXT, span)
  for (const { system, mode, start, end, failure } of transactions) {
    const attributes = {
      [ATTR_DB_SYSTEM_NAME]: system,
      'purlin.transaction.mode': mode,
      ...errorType(failure),
    }
    const options = { kind: SpanKind.CLIENT, startTime: start, attributes }
    tracer.startSpan(`transaction ${mode}`, options, context).end(end)
  }
}

/** Records transactions in the scope that they begin in, if they end before it does. */
function recording(
  run: Engine['transaction'],
  scopes: AsyncLocalStorage<Scope>,
  system: string,
): Engine['transaction'] {
  return async (mode, work, reads) => {
    const scope = scopes.getStore()
    if (!scope || scope.hasEnded) return run(mode, work, reads)
    if (mode !== 'read') scope.hasWritten = true
    const ended = stopwatch()
    const add = (failure?: string) => {
      if (!scope.hasEnded && scope.transactions.length < mostTransactions)
        scope.transactions.push({ system, mode, failure, ...ended() })
    }
    try {
      const value = await run(mode, work, reads)
      add()
      return value
    } catch (error) {
      add(nameOf(error))
      throw error
    }
  }
}

function createProvider({ url, headers, ratio, version, instance, log }: Collector): TracerProvider {
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: sendMs, concurrencyLimit: inFlight })
  return new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        [ATTR_SERVICE_NAME]: 'purlin',
        [ATTR_SERVICE_VERSION]: version,
        'service.instance.id': instance,
      }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanLimits,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reporting(exporter, log),
        maxQueueSize: queued,
        maxExportBatchSize: batch,
      }),
    ],
  })
}

/** Logs once that the collector takes no traces, and once that it does again. */
function reporting(exporter: SpanExporter, log: Log): SpanExporter {
  let isAway = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS
        if (hasFailed && !isAway)
          log.warn({ reason: reasonOf(result.error) }, 'the collector takes no traces: they are dropped')
        if (!hasFailed && isAway) log.info({}, 'the collector takes traces again')
        isAway = hasFailed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

/** The status or code of a failure, never a text of the collector. */
function reasonOf(error: Error | undefined): string {
  const code: unknown = error && 'code' in error ? error.code : undefined
  return typeof code === 'number' || typeof code === 'string' ? String(code) : 'no answer'
}

/** The context of a `traceparent`; an invalid one has no effect. Its `tracestate` is not used: it is a text of strangers. */
function parentOf(traceparent: string | undefined): Context {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent)
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT
}

const routes = new Map(Object.entries(operations).map(([name, { path }]) => [name, path]))
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'])

/** Names a request by its operation, with attributes by the semantic conventions of HTTP. */
function describe(span: Span, answer: NonNullable<Parameters<RequestTrace['end']>[0]>): void {
  const { operation, method, status, requestId } = answer
  const route = routes.get(operation)
  const hasFailed = status >= 500
  span.updateName(operation).setAttributes({
    [ATTR_HTTP_REQUEST_METHOD]: methods.has(method) ? method : '_OTHER',
    [ATTR_HTTP_RESPONSE_STATUS_CODE]: status,
    [ATTR_HTTP_RESPONSE_HEADER('x-request-id')]: [requestId],
    ...(route === undefined ? {} : { [ATTR_HTTP_ROUTE]: route }),
    ...errorType(hasFailed ? String(status) : undefined),
  })
  if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR })
}

const newScope = (): Scope => ({ hasEnded: false, hasWritten: false, transactions: [] })
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
const errorType = (failure: string | undefined) =>
  failure === undefined ? {} : { [ATTR_ERROR_TYPE]: failure }

/** Measures a time whose length does not depend on the wall clock. */
function stopwatch(): () => { start: number; end: number } {
  const start = Date.now()
  const began = performance.now()
  return () => ({ start, end: start + performance.now() - began })
}
