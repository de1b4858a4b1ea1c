/** A bare node:http handler that answers every request with the same bytes, for comparison. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startChild } from '@purlin/server/testing/children'

/** Starts it as a child process that answers `body` as JSON. */
export async function startBare(body: string): Promise<{ origin: string; stop: () => Promise<void> }> {
  const child = startChild(fileURLToPath(import.meta.url), { ipc: true })
  child.process.send?.(body)
  const [port] = (await once(child.process, 'message')) as [number]
  return { origin: `http://127.0.0.1:${port}`, stop: child.stop }
}

if (import.meta.main) {
  const [text] = (await once(process, 'message')) as [string]
  const body = Buffer.from(text)
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send?.((server.address() as AddressInfo).port)
  process.once('disconnect', () => process.exit())
}
