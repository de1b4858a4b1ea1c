/** The ports that servers and hosts listen on. */
import type { Server } from 'node:net'
import { messageOf, systemCodeOf } from '@purlin/databases/error-codes'

/** The port that a server listens on. Throws if it does not listen, or on a socket of the file system. */
export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address.port
}

/** Why a port cannot be listened on, for the operator. */
export function listenProblem(
  error: unknown,
  { host, port, flag }: { host: string; port: number; flag: '--port' | '--listen' },
): string {
  const code = systemCodeOf(error)
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop what listens there, or choose another ${flag}.`
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Choose a ${flag} above 1023.`
  return `Cannot listen on ${host} port ${port}: ${messageOf(error)}`
}
