/** Hosts that join the fleet, for servers, hosts and the console. */

/** Whether a host answers the servers. */
export const hostStates = ['up', 'silent'] as const
export type HostState = (typeof hostStates)[number]

/** The most hosts and unused codes of a fleet, minutes for which a code counts, and the longest texts. */
export const hostLimits = {
  hosts: 1_000,
  codes: 100,
  minutes: { usual: 60, most: 1_440 },
  address: 253,
  publicKey: 1_000,
  proof: 64,
} as const

/** The parts of a code. The fingerprint is the SHA-256 of the certificate of the fleet's authority, in hex. */
export interface JoinCode {
  /** Of the server, without a path. */
  url: string
  id: string
  fingerprint: string
  /** hex */
  secret: string
}

/** A code as people copy it. What follows the mark is sent to no server if it is opened in a browser. */
export const joinCodeText = ({ url, id, fingerprint, secret }: JoinCode): string =>
  `${url}/#join.${id}.${fingerprint}.${secret}`

const shape = /^(https?:\/\/[^/#\s]+)\/#join\.([0-9a-f-]{36})\.([0-9a-f]{64})\.([0-9a-f]{64})$/

/** The parts of a text that was copied; undefined if it is no code. */
export function readJoinCode(text: string): JoinCode | undefined {
  const [, url, id, fingerprint, secret] = shape.exec(text.trim()) ?? []
  if (url === undefined || id === undefined || fingerprint === undefined || secret === undefined)
    return undefined
  return { url, id, fingerprint, secret }
}

/** The text whose HMAC, by the fingerprint of the secret, proves that a host has the code. */
export const joinText = (host: {
  codeId: string
  publicKey: string
  address: string
  port: number
}): string => ['purlin host', host.codeId, host.publicKey, host.address, host.port].join('\n')
