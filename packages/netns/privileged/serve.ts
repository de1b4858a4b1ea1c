/** The helper's end: HTTP on a socket of the host that one user may open. */
import { chown, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { encode, jsonText } from '@purlin/contract/wire'
import { Invalid, parse } from '@purlin/core/http/validate'
import { readAll } from '@purlin/remote/lines'
import type { SledNetwork } from '@purlin/core/ports'
import { calls, longestBody, type CallName } from './calls.ts'
import type { HostNetworks } from './networks.ts'

interface Serving {
  networks: HostNetworks
  /** The socket, in a folder that only root may change. */
  path: string
  /** The user who may open it. */
  owner: number
}

/** Listens. Requests carry whole networks and ids, and no commands. */
export async function serveNetworks({ networks, path, owner }: Serving): Promise<Server> {
  const server = createServer((request, response) => {
    answer(networks, request).then(
      (body) => respond(response, 200, body),
      (error: unknown) => respond(response, error instanceof Invalid ? 400 : 500, messageOf(error)),
    )
  })
  await rm(path, { force: true })
  // No other user opens it before it has its owner.
  const before = process.umask(0o177)
  server.listen(path)
  await once(server, 'listening').finally(() => process.umask(before))
  await chown(path, owner, -1)
  return server
}

const messageOf = (error: unknown) => ({ message: error instanceof Error ? error.message : String(error) })

function respond(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(jsonText(body))
}

const isCall = (name: string): name is CallName => Object.hasOwn(calls, name)

async function answer(networks: HostNetworks, request: IncomingMessage): Promise<unknown> {
  const name = (request.url ?? '').slice(1)
  if (request.method !== 'POST' || !isCall(name)) throw new Invalid([], `no call ${name}`)
  const text = (await readAll(request, longestBody)).toString('utf8')
  const { input, output } = calls[name]
  const given = parse<unknown>(input, jsonOf(text))
  return encode<unknown>(output, await carryOut(networks, name, given))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Invalid([], 'no JSON')
  }
}

async function carryOut(networks: HostNetworks, name: CallName, input: unknown): Promise<unknown> {
  const { nicIds } = input as { nicIds: string[] }
  switch (name) {
    case 'set':
      return (await networks.set(input as SledNetwork)) ?? {}
    case 'held':
      return networks.held()
    case 'named':
      return networks.named()
    case 'prepare':
      return networks.prepare(nicIds)
    case 'connect':
      return (await networks.connect(nicIds)) ?? {}
    case 'release':
      return (await networks.release(nicIds)) ?? {}
    case 'traffic':
      return networks.traffic(nicIds)
    case 'clear':
      return (await networks.clear()) ?? {}
  }
}
