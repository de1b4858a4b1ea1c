/** The hosts that have joined, and the one inside of the server, as one driver. */
import {
  noHardware,
  type Clock,
  type Host,
  type JoinedHosts,
  type Log,
  type SledDriver,
} from '@purlin/core/ports'
import { serverIdentity, serverIdentityMs } from './authority.ts'
import { createFleet, type Fleet } from './fleet.ts'
import type { Identity } from './identity.ts'
import { noSleds } from './no-sleds.ts'
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
  /** Instead of the driver, once the host was forgotten. */
  toDrop?: SledDriver
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
      const kept = before.get(key)
      const driver = kept?.driver ?? connectHost(host, { identity, clock, log })
      before.delete(key)
      if (!host.isForgotten) return { key, id: host.id, driver }
      const isOwn = (sledId: string): boolean => known.places.get(sledId) === host.id
      return { key, id: host.id, driver, toDrop: kept?.toDrop ?? onlyToDrop(driver, isOwn) }
    })
    const reached = connected.map(({ id, driver, toDrop }) =>
      toDrop ? { id, driver: toDrop, isForgotten: true } : { id, driver },
    )
    fleet.setHosts([inside, ...reached], known)
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

/** Of a host that was forgotten: only whether it still has some of its sleds, and the way to drop them. */
const onlyToDrop = (host: SledDriver, isOwn: (sledId: string) => boolean): SledDriver => ({
  ...noSleds('its host was forgotten'),
  hardware: async () => {
    const { sleds } = await host.hardware()
    return { ...noHardware, sleds: sleds.filter(({ id }) => isOwn(id)) }
  },
  watchHardware: (onChange) => host.watchHardware(onChange),
  dropSled: (sledId) => host.dropSled(sledId),
})

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
