/** Notices statements that get no answer: their connection may be dead without anybody having said so. */
import type { ClientBase } from 'pg'
import type { StatementWatch } from './connection.ts'
import { settings } from './settings.ts'

export interface Watch extends StatementWatch {
  /** Ends the connections of all statements under way, which then fail. */
  endAll(): void
  close(): void
}

/**
 * Time is counted in ticks of this process, so that one that was frozen itself does not take its own delay for the
 * database's.
 */
export function createWatch(): Watch {
  const running = new Map<ClientBase, number>()
  let ticks = 0
  let timer: NodeJS.Timeout | undefined

  function tick(): void {
    ticks++
    for (const [client, since] of running)
      if ((ticks - since) * settings.heartbeatMs > settings.silentStatementMs) disconnect(client)
  }

  return {
    begin(client) {
      timer ??= setInterval(tick, settings.heartbeatMs).unref()
      running.set(client, ticks)
    },
    end: (client) => void running.delete(client),
    endAll: () => {
      for (const client of running.keys()) disconnect(client)
    },
    close: () => clearInterval(timer),
  }
}

/** Ends a connection with pending statements, which then fail immediately. */
export function disconnect(client: ClientBase): void {
  const { connection } = client as ClientBase & { connection: { stream: { destroy: () => void } } }
  connection.stream.destroy()
}
