/** Many concurrent requests, whose answers are read and discarded: for attacks. */
import { Agent, request } from 'node:http'

export interface Wave {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}
/** The outcomes: the number of answers by status, and the total bytes. */
interface Answers {
  statuses: Record<number, number>
  bytes: number
}

/**
 * Sends the requests of `next` on this many connections, each one when the last is answered, until the time is over
 * or `next` ends.
 */
export async function flood(
  url: string,
  next: (serial: number) => Wave | undefined,
  { connections, ms }: { connections: number; ms: number },
): Promise<Answers> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const answers: Answers = { statuses: {}, bytes: 0 }
  const end = performance.now() + ms
  let serial = 0
  const sendAll = async () => {
    while (performance.now() < end) {
      const wave = next(serial++)
      if (!wave) return
      const { status, bytes } = await send(url, wave, agent)
      answers.statuses[status] = (answers.statuses[status] ?? 0) + 1
      answers.bytes += bytes
    }
  }
  await Promise.all(Array.from({ length: connections }, sendAll))
  agent.destroy()
  return answers
}

/** Sends one request. A connection that breaks counts as status 0. */
function send(url: string, wave: Wave, agent: Agent): Promise<{ status: number; bytes: number }> {
  const { method = 'GET', path, headers = {}, body } = wave
  const { promise, resolve } = Promise.withResolvers<{ status: number; bytes: number }>()
  const message = request(`${url}${path}`, { method, headers, agent }, (response) => {
    let bytes = 0
    response.on('data', (chunk: Uint8Array) => (bytes += chunk.length))
    response.once('end', () => resolve({ status: response.statusCode ?? 0, bytes }))
    response.once('error', () => resolve({ status: 0, bytes }))
  })
  message.once('error', () => resolve({ status: 0, bytes: 0 }))
  message.end(body)
  return promise
}
