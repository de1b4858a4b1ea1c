/** The faults of a cluster, one row each: what fails, how it begins and ends, and how one knows that the others have noticed. */
import { takeConnections } from './full-table.ts'
import type { Cluster } from './cluster.ts'
import { createRandom } from '../faults/faults.ts'
import { readNow, serverNames, until, type ServerName } from '../faults/site.ts'
import { signalAll } from '../postgres-processes.ts'
import { psql } from '../postgres.ts'

/** A part that can fail. Two faults of one part are never there at the same time. */
export type Part = ServerName | 'database' | 'database wire' | `${'host' | 'wire' | 'arrivals'} ${0 | 1}`

export interface ClusterFault {
  name: string
  parts: readonly Part[]
  /** The servers that acknowledge writes at the same time. */
  working: readonly ServerName[]
  /** Nothing about the hosts is recorded, because they answer another server. */
  isHidden?: boolean
  /** Tried in the step while real machines move; all others are drawn by the soak. */
  meetsMoves?: boolean
  /** Returns how it ends: then what has failed is there again. */
  begin(cluster: Cluster): Promise<() => Promise<void>>
  /** Waits until the rest of the cluster has noticed it, as the only fault. */
  untilNoticed?(cluster: Cluster): Promise<void>
}

const hostNumbers = [0, 1] as const
const ending = ['SIGTERM', 'SIGKILL'] as const

const ofDatabase: ClusterFault[] = [
  ...(['SIGINT', 'SIGKILL'] as const).map((signal): ClusterFault => ({
    name: `the database is ended by ${signal}`,
    parts: ['database'],
    working: [],
    begin: async ({ site: { database } }) => {
      process.kill(database.pid(), signal)
      return () => database.startAgain()
    },
    untilNoticed: untilRefused,
  })),
  {
    name: 'the database is frozen',
    parts: ['database'],
    working: [],
    begin: async ({ site: { database } }) => {
      signalAll(database.pid(), 'SIGSTOP')
      return async () => signalAll(database.pid(), 'SIGCONT')
    },
    untilNoticed: untilRefused,
  },
  {
    name: 'the database has no connection left',
    parts: ['database'],
    working: serverNames,
    begin: async ({ site: { database } }) => {
      const release = await takeConnections(database.url)
      return async () => {
        release()
        await until('there is a connection', () =>
          psql(database.url, 'select 1').then(([one]) => one === '1'),
        )
      }
    },
  },
  {
    name: 'the server other is cut off from the database',
    parts: ['database wire'],
    working: ['first'],
    begin: async ({ databaseWire }) => {
      databaseWire.cut()
      return async () => databaseWire.mend()
    },
    untilNoticed: (cluster) => untilHolders(cluster, 1),
  },
]

const others = (name: ServerName) => serverNames.filter((one) => one !== name)

const ofServer = (name: ServerName): ClusterFault[] => [
  ...ending.map((signal): ClusterFault => ({
    name: `the server ${name} is ended by ${signal}`,
    parts: [name],
    meetsMoves: signal === 'SIGKILL',
    working: others(name),
    begin: async ({ site }) => {
      await site.end(name, signal)
      return () => site.start(name)
    },
    untilNoticed: (cluster) => untilHolders(cluster, 1),
  })),
  {
    name: `the server ${name} is frozen`,
    parts: [name],
    meetsMoves: true,
    working: others(name),
    begin: async ({ site }) => {
      site.servers[name].signal('SIGSTOP')
      return async () => site.servers[name].signal('SIGCONT')
    },
    untilNoticed: (cluster) => untilHolders(cluster, 1),
  },
  {
    name: `the server ${name} is cut off from the hosts`,
    parts: [name, 'wire 0', 'wire 1'],
    working: serverNames,
    isHidden: true,
    begin: async ({ site, hosts }) => {
      for (const { wire } of hosts) wire.cut(site.servers[name].pid)
      return async () => hosts.forEach(({ wire }) => wire.mend())
    },
    untilNoticed: (cluster) => untilHolders(cluster, 1),
  },
]

const ofHost = (number: 0 | 1): ClusterFault[] => {
  const untilSilent = (cluster: Cluster) => untilAnswering(cluster, number, false)
  const silent = { working: serverNames, untilNoticed: untilSilent }
  return [
    ...ending.map((signal): ClusterFault => ({
      name: `the host ${number} is ended by ${signal}, with its machines if they are simulated`,
      parts: [`host ${number}`],
      meetsMoves: signal === 'SIGKILL',
      working: serverNames,
      begin: async ({ hosts }) => {
        await hosts[number].end(signal)
        return () => hosts[number].start()
      },
    })),
    {
      name: `the host ${number} is frozen`,
      parts: [`host ${number}`],
      ...silent,
      begin: async ({ hosts }) => {
        hosts[number].signal('SIGSTOP')
        return async () => hosts[number].signal('SIGCONT')
      },
    },
    {
      name: `the host ${number} is cut off from all servers`,
      parts: [`wire ${number}`],
      meetsMoves: true,
      ...silent,
      begin: async ({ hosts }) => {
        hosts[number].wire.cut()
        return async () => hosts[number].wire.mend()
      },
    },
  ]
}

export const clusterFaults: readonly ClusterFault[] = [
  ...ofDatabase,
  ...serverNames.flatMap(ofServer),
  ...hostNumbers.flatMap(ofHost),
]

/** Those, and what can happen between the hosts of real machines only. */
export const faultsOfMoves: readonly ClusterFault[] = [
  ...clusterFaults,
  ...hostNumbers.map((number): ClusterFault => ({
    name: `the host ${number} is reached by no machine of the other one`,
    parts: [`arrivals ${number}`],
    meetsMoves: true,
    working: serverNames,
    begin: async ({ hosts }) => {
      hosts[number].arrivals?.cut()
      return async () => hosts[number].arrivals?.mend()
    },
  })),
]

/** Faults that are there at once for a while. */
export interface Round {
  faults: readonly ClusterFault[]
  /** Before each of them, and before the first one ends. */
  pausesMs: readonly number[]
}

const mostAtOnce = 3
const roundsOfSeed = 2
/** Leases end, hosts are silent and machines move in less. */
const longestPauseMs = 6_000

/** Draws rounds of such faults, the same for the same seed. */
export function drawRounds(faults: readonly ClusterFault[], seed: number): Round[] {
  const random = createRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  return Array.from({ length: roundsOfSeed }, () => {
    const number = 1 + below(mostAtOnce)
    const drawn: ClusterFault[] = []
    while (drawn.length < number) {
      const taken = new Set(drawn.flatMap(({ parts }) => parts))
      const free = faults.filter(({ parts }) => parts.every((part) => !taken.has(part)))
      drawn.push(...free.slice(below(free.length)).slice(0, 1))
    }
    return { faults: drawn, pausesMs: [...drawn, drawn].map(() => below(longestPauseMs)) }
  })
}

/** Lets the faults of a round begin one after the other, and end in the same turn, but the database first: servers start with it. */
export async function carryOut(cluster: Cluster, { faults, pausesMs }: Round): Promise<void> {
  const ends: (() => Promise<void>)[] = []
  for (const [i, fault] of faults.entries()) {
    await pause(pausesMs[i])
    const end = await fault.begin(cluster)
    if (fault.parts.some((part) => part.startsWith('database'))) ends.unshift(end)
    else ends.push(end)
  }
  await pause(pausesMs.at(-1))
  for (const end of ends) await end()
}

const pause = (ms?: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits until that many servers drive the hosts, and all are driven. */
const untilHolders = ({ site, hosts }: Cluster, count: 1 | 2): Promise<void> =>
  until(`the hosts are driven by ${count}`, async () => {
    const names = hosts.flatMap(({ sledIds }) => sledIds.map((id) => `sled ${id}`))
    const leases = await readNow(site, (tx) =>
      tx.selectFrom('lease').select(['holder', 'until']).where('name', 'in', names).execute(),
    )
    const held = leases.filter((lease) => lease.until > Date.now())
    return held.length === names.length && new Set(held.map(({ holder }) => holder)).size === count
  })

/** The records about the hosts: their states, and the sleds that do not answer. */
export const recordsOfHosts = ({ site }: Cluster) =>
  readNow(site, async (tx) => ({
    hosts: await tx.selectFrom('host').select(['id', 'state', 'timeStateChanged']).orderBy('id').execute(),
    missing: await tx.selectFrom('sled').select('id').where('missingSince', 'is not', null).execute(),
  }))

/** Waits until both servers drive hosts, and all hosts answer. */
export async function untilWhole(cluster: Cluster): Promise<void> {
  await untilHolders(cluster, 2)
  await until('all hosts answer', async () => {
    const { hosts, missing } = await recordsOfHosts(cluster)
    return missing.length === 0 && hosts.every(({ state }) => state === 'up')
  })
}

const untilAnswering = ({ site, hosts }: Cluster, number: 0 | 1, answers: boolean): Promise<void> =>
  until(`the host ${number} ${answers ? 'answers' : 'is silent'}`, async () => {
    const sledId = hosts[number].sledIds[0] ?? ''
    const { missingSince } = await site.apis.first.sledView({ params: { sledId } })
    return ((missingSince ?? null) === null) === answers
  })

/** Waits until both servers refuse requests. */
async function untilRefused({ site }: Cluster): Promise<void> {
  for (const name of serverNames)
    await until(`the server ${name} refuses requests`, async () => {
      const { url } = site.servers[name]
      const { status } = await fetch(`${url}/v1/projects`, { headers: { cookie: site.cookie } })
      return status === 503
    })
}
