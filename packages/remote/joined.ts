/** The hosts that have joined, and the one inside of the server, as one driver. */
import type { Clock, Host, JoinedHosts, Log, SledDriver } from '@purlin/core/ports'
import { serverIdentity, serverIdentityMs } from './authority.ts'
import { createFleet, type Fleet } from './fleet.ts'
import type { Identity } from './identity.ts'
import { connectHost, type RemoteHost } from './remote-host.ts'

/** The driver of a server. Its hosts come from the database: see `setJoined`. */
export interface JoinedFleet extends SledDriver {
  /** Ends the connections to hosts, whose machines go on. */
  close(): void
}

interface Options {
  /** The host inside of the process. */
  local: SledDriver
  clock: Clock
  log: Pick<Log, 'warn'>
}

interface Connected {
  key: string
  id: string
  driver: RemoteHost
}

/** Makes a fleet of the host inside of the process, until others have joined. */
export function createJoinedFleet({ local, clock, log }: Options): JoinedFleet {
  const fleet: Fleet = createFleet({ log, clock })
  const inside = { id: null, driver: local }
  let connected: Connected[] = []
  const identityOf = identities()
  fleet.setHosts([inside])

  function setJoined({ authority, hosts, ...known }: JoinedHosts): void {
    const identity = () => identityOf(authority)
    const before = new Map(connected.map((one) => [one.key, one]))
    connected = hosts.map((host) => {
      const key = keyOf(host)
      const driver = before.get(key)?.driver ?? connectHost(host, { identity, clock, log })
      before.delete(key)
      return { key, id: host.id, driver }
    })
    fleet.setHosts([inside, ...connected], known)
    for (const { driver } of before.values()) driver.close()
  }

  return Object.assign(fleet, {
    setJoined,
    close: () => {
      for (const { driver } of connected) driver.close()
      connected = []
    },
  })
}

const keyOf = ({ id, address, port }: Host): string => `${id} ${address} ${port}`

/** Makes the identity of the server, and another one when half of its time has passed. */
function identities(): (authority: JoinedHosts['authority']) => Promise<Identity> {
  let made: { until: number; cert: string; identity: Promise<Identity> } | undefined
  return ({ cert, key }) => {
    const now = Date.now()
    if (!made || made.cert !== cert || made.until <= now) {
      const identity = serverIdentity({ cert, key })
      made = { until: now + serverIdentityMs / 2, cert, identity }
      identity.catch(() => (made = undefined))
    }
    return made.identity
  }
}
