/** The process of a host: joins a fleet with a code, or has done so before, and serves its sleds to the servers. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { createHostServer } from '@purlin/remote/serve'
import { hasKvm } from '@purlin/qemu/host/kvm'
import { messageOf } from '@purlin/databases/error-codes'
import type { Log, SledDriver } from '@purlin/core/ports'
import { ConfigError } from '../process/config-values.ts'
import { openLog } from '../process/log.ts'
import { openQemu } from '../process/machines.ts'
import { limitConnections } from '../http/connections.ts'
import { listenProblem, portOf } from '../http/listening.ts'
import { systemClock } from '../process/ports.ts'
import { StartError } from '../process/start-errors.ts'
import { version } from '../process/version.ts'
import { makeDataDir, takeDataLock } from '../storage/data-dir.ts'
import { hostHelp, reachedAt, readHostConfig, usualPlace, type HostConfig, type Place } from './host-flags.ts'
import { epochsIn } from './epochs-file.ts'
import { keepIdentity, readIdentity, type KeptIdentity } from './identity-files.ts'
import { joinFleet } from './join.ts'
import { createSimulatedHost } from './simulated-host.ts'

export interface RunningHost {
  id: string
  /** Where it listens. */
  at: { host: string; port: number }
  /** Ends the process's part; machines of QEMU go on. */
  stop(): Promise<void>
}

/** Runs a host until a signal ends it. Invalid flags end the process with code 2. */
export async function main(args: string[]): Promise<void> {
  try {
    const config = readHostConfig(args)
    if (!config) return console.log(hostHelp)
    process.umask(0o077)
    const log = openLog('info')
    const host = await startHost(config, log)
    console.log(`Purlin host ${host.id} is ready at ${host.at.host}:${host.at.port}`)
    const end = async () => {
      await host.stop()
      await log.flush()
      process.exit()
    }
    process.once('SIGINT', () => void end())
    process.once('SIGTERM', () => void end())
  } catch (error) {
    const isUsage = error instanceof ConfigError
    const isKnown = isUsage || error instanceof StartError
    const text = isKnown || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message)
    console.error(`purlin host: ${text}${isUsage ? '\nSee --help.' : ''}`)
    process.exit(isUsage ? 2 : 1)
  }
}

/** Connections of all, and of one address. A server keeps one. */
const most = { all: 4_096, perAddress: 64 }

/** Starts a host that serves. Throws StartError. */
export async function startHost(config: HostConfig, log: Log): Promise<RunningHost> {
  makeDataDir(config.dataDir)
  const release = takeDataLock(config.dataDir)
  try {
    const identity = await identityFor(config)
    const { driver, close } = await openDriver(config, identity, log)
    const epochs = epochsIn(config.dataDir, log)
    const server = createHostServer({ driver, identity, log, version: version(), epochs })
    limitConnections(server, most, log)
    const sockets = new Set<Socket>()
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    const listen = { host: identity.host, port: identity.port }
    server.listen(listen)
    await once(server, 'listening').catch(refusal(listen))
    server.on('error', (error) => log.error({ error: String(error) }, 'a connection was not accepted'))
    return {
      id: identity.id,
      at: listen,
      stop: async () => {
        server.close()
        for (const socket of sockets) socket.destroy()
        await close()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

const refusal = (at: Place) => (error: unknown) => {
  throw new StartError(listenProblem(error, { ...at, flag: '--listen' }), { cause: error })
}

/** The identity in the data folder, or a new one by the code. */
async function identityFor({ join: code, listen, address, dataDir }: HostConfig): Promise<KeptIdentity> {
  const known = readIdentity(dataDir)
  if (known && code)
    throw new StartError(
      `The host in ${dataDir} has joined a fleet already: leave out --join, or choose another --data-dir.`,
    )
  if (known) {
    if (listen && listen.port !== known.port)
      throw new StartError(`Servers look for this host at port ${known.port}: give --listen with that port.`)
    return listen ? { ...known, ...listen } : known
  }
  if (!code) throw new StartError(`The host in ${dataDir} has not joined a fleet: give it --join and a code.`)
  // Before the code is used up.
  const place = listen ?? usualPlace
  const port = await freePort(place)
  const joined = await joinFleet(code, { address: address ?? reachedAt(place), port })
  const identity = { ...joined, host: place.host, port }
  keepIdentity(dataDir, identity)
  return identity
}

/** The port, or any free one for 0. Throws StartError if it cannot be used. */
async function freePort(at: Place): Promise<number> {
  const probe = createServer()
  probe.listen(at)
  await once(probe, 'listening').catch(refusal(at))
  const port = portOf(probe)
  probe.close()
  await once(probe, 'close')
  return port
}

interface Opened {
  driver: SledDriver
  close: () => Promise<void>
}

async function openDriver(
  { machines, dataDir, movesPort }: HostConfig,
  of: KeptIdentity,
  log: Log,
): Promise<Opened> {
  const clock = systemClock
  if (machines.are === 'simulated') {
    const driver = await createSimulatedHost({
      hostId: of.id,
      sleds: machines.sleds,
      folder: dataDir,
      clock,
    })
    return { driver, close: () => Promise.resolve() }
  }
  const folder = join(resolve(machines.disks), 'blobs', of.fleetId)
  if (!existsSync(join(folder, 'folder')))
    throw new StartError(
      `The folder ${machines.disks} does not have the disks of the fleet: share the data folder of its servers.`,
    )
  if (machines.are === 'auto' && !(await hasKvm()))
    throw new StartError(
      'This user cannot use KVM (/dev/kvm). --machines qemu emulates machines, which is slow.',
    )
  const opened = await openQemu({
    dataDir,
    named: machines.named,
    clock,
    log,
    folder,
    owner: of.fleetId,
    isPart: false,
    hostId: of.id,
    arrivals: { host: of.host, port: movesPort },
  })
  return { driver: opened.sleds, close: () => opened.close() }
}
