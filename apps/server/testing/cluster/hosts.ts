/** Hosts as processes of this machine. */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { newFolder, startChild, type Child } from '../children.ts'
import type { Api } from '../requests.ts'

/** The process of a host, which can be ended and started again. */
export interface HostProcess {
  /** The sleds that it has. */
  sledIds: string[]
  /** Where it listens. */
  port: number
  /** Its data. */
  folder: string
  signal(name: NodeJS.Signals): void
  /** Ends it, with all of its machines if they are simulated. */
  end(signal: NodeJS.Signals): Promise<void>
  /** Starts it again after it was ended. */
  start(): Promise<void>
}

interface HostOptions {
  sleds: number
  /** Flags for its machines, each time that it starts; by default they are simulated. */
  machines?: readonly string[]
  /** The address at which servers reach it. */
  address?: string
  /** Called once it listens, before servers reach it. */
  onReady?: (port: number) => Promise<unknown>
}

const program = fileURLToPath(new URL('host-program.ts', import.meta.url))
const lookMs = 200

/** Keeps instances off the sleds inside of servers, which end with them. Those of hosts are added later. */
export async function closeSledsOfServers(api: Api): Promise<void> {
  for (const { id: sledId } of (await api.sledList({ query: {} })).items)
    await api.sledSetProvisionPolicy({ params: { sledId }, body: { state: 'non_provisionable' } })
}

/** Starts a host that joins, and adds its sleds once they wait for it. */
export async function startHostProcess(api: Api, options: HostOptions): Promise<HostProcess> {
  const { sleds, machines = ['--simulated', String(sleds)], address, onReady } = options
  const { path: folder } = newFolder()
  const { code } = await api.hostJoinCodeCreate({ body: {} })
  const at = ['--listen', '127.0.0.1:0', ...(address === undefined ? [] : ['--address', address])]
  const start = async (...args: string[]) => {
    const child = startChild(program, { args: [...machines, '--data-dir', folder, ...args] })
    return { child, port: await portOf(child) }
  }
  let { child, port } = await start('--join', code, ...at)
  await onReady?.(port)
  const sledIds: string[] = []
  while (sledIds.length < sleds) {
    for (const { baseboard } of (await api.sledListUninitialized({ query: {} })).items) {
      const { part, serial } = baseboard
      sledIds.push((await api.sledAdd({ body: { part, serial } })).id)
    }
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
  return {
    sledIds,
    port,
    folder,
    signal: (name) => void child.process.kill(name),
    end: async (signal) => {
      const ended = once(child.process, 'exit')
      child.process.kill(signal)
      await ended
    },
    start: async () => void ({ child, port } = await start()),
  }
}

/** The port that it prints once it listens. Throws if it ends before. */
function portOf({ process: host }: Child): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = ''
    host.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const port = /is ready at \S+:(\d+)\n/.exec(said)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
    host.once('exit', (code) => reject(new Error(`a host has ended with ${code}: ${said}`)))
  })
}
