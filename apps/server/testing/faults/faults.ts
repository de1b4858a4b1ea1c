/** The faults: each begins at once, and those that last end later. */
import { readNow, until, type ServerName, type Site } from './site.ts'
import { failures } from './receivers.ts'
import type { LostHosts } from './rack.ts'

/** A fault that has begun, and how it ends. */
export interface Fault {
  name: string
  end(): Promise<void>
}

/** Random numbers from 0 (included) to 1 (excluded), the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

const nothing = () => Promise.resolve()

/** Makes the functions that begin a fault, in the turn in which they are called. */
export function faultsOf(site: Site, random: () => number): (() => Promise<Fault>)[] {
  const oneOf = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(random() * list.length)]
    if (one === undefined) throw new Error('nothing to choose from')
    return one
  }
  const lost: LostHosts = {}

  const killServer = (name: ServerName) => async () => {
    await site.restart(name)
    return { name: `the server ${name} was killed`, end: nothing }
  }
  const killDatabase = async () => {
    process.kill(site.database.pid(), 'SIGKILL')
    await site.database.startAgain()
    return { name: 'the database was killed', end: nothing }
  }
  const loseHost = async () => {
    const { sleds, instances } = await readNow(site, async (tx) => ({
      sleds: await tx.selectFrom('sled').select(['id', 'serial']).orderBy('id').execute(),
      instances: await tx.selectFrom('instance').select(['id', 'sledId']).execute(),
    }))
    const { id, serial } = oneOf(sleds.filter((one) => !(one.id in lost)))
    lost[id] = instances.filter((one) => one.sledId === id).map((one) => one.id)
    site.loseHosts(lost)
    await until(`there is an alert about ${serial}`, () => isActive(site, id))
    return {
      name: `the host ${serial} with ${lost[id].length} instances lost its power`,
      end: async () => {
        delete lost[id]
        site.loseHosts(lost)
        await until(`the alert about ${serial} has ended`, async () => !(await isActive(site, id)))
      },
    }
  }
  const failReceiver = async () => {
    const [receiver, failure] = [oneOf(site.receivers), oneOf(failures)]
    await receiver.behave(failure)
    return {
      name: `${receiver.name} is ${failure}`,
      end: () => receiver.behave('accepting'),
    }
  }
  return [failReceiver, killServer('first'), loseHost, killDatabase, killServer('other')]
}

/** True if operators see an alert about a host. */
async function isActive({ apis }: Site, sledId: string): Promise<boolean> {
  for (let pageToken: string | undefined; ;) {
    const query = { state: 'active', limit: 1000, ...(pageToken ? { pageToken } : {}) } as const
    const page = await apis.other.alertList({ query })
    if (page.items.some((one) => one.subject.id === sledId)) return true
    if (!page.nextPage) return false
    pageToken = page.nextPage
  }
}
