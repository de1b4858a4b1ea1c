/** Writers that keep books of what was acknowledged, and operators of the instances, while servers and database fail. */
import { ApiError } from '@purlin/contract/client'
import { Bookkeeper } from '@purlin/core/testing/crash'
import { project, readNow, serverNames, until, type ServerName, type Site } from './site.ts'
import type { Api } from '../requests.ts'

export interface Load {
  /** Writes that were acknowledged so far, by the server that did. */
  acknowledged(name: ServerName): number
  /** Acknowledged writes that are not there, and answers that must not be given. */
  wrong(): string[]
  stop(): Promise<void>
}

const booksPerServer = 3

/** Starts the load on both servers. Each load of a site has books of another name. */
export function startLoad(site: Site, instances: number, books = 'books'): Load {
  const wrong: string[] = []
  const state = { isStopped: false }
  const all = serverNames.flatMap((name) =>
    Array.from({ length: booksPerServer }, (_, i) => ({
      name,
      book: new Bookkeeper(`${books}-${name}-${i}`, () => site.servers[name].url, site.cookie),
    })),
  )
  const keep = async ({ name, book }: (typeof all)[number]) => {
    while (!state.isStopped) {
      await book.work()
      // An unanswered commit may be carried out until the database has noticed that its client is gone.
      await untilAnswers(site, name)
      wrong.push(...(await readNow(site, (tx) => book.audit(tx))))
    }
  }
  const operate = async (name: ServerName) => {
    while (!state.isStopped) wrong.push(...(await attempt(site, name, (api) => changeAny(api, instances))))
  }
  const work = [...all.map(keep), ...serverNames.map(operate)]
  return {
    acknowledged: (name) =>
      all.reduce((sum, one) => sum + (one.name === name ? one.book.acknowledged : 0), 0),
    wrong: () => [...wrong, ...all.flatMap(({ book }) => book.failures)],
    stop: async () => {
      state.isStopped = true
      for (const { book } of all) book.stop()
      await Promise.all(work)
    },
  }
}

/** Waits until a server answers a request that reads the database. */
const untilAnswers = (site: Site, name: ServerName): Promise<void> =>
  until(`the server ${name} answers`, async () => {
    await site.apis[name].projectView({ params: { project } })
    return true
  })

/** Starts, stops or restarts an instance, whatever its state. */
function changeAny(api: Api, instances: number): Promise<unknown> {
  const at = { params: { instance: `vm-${Math.floor(Math.random() * instances)}` }, query: { project } }
  const dice = Math.random()
  if (dice < 0.4) return api.instanceStart(at)
  return dice < 0.7 ? api.instanceStop(at) : api.instanceReboot(at)
}

/** Starts the instances that have failed, as their owners would. */
export async function startFailed(site: Site): Promise<void> {
  const failed = await readNow(site, (tx) =>
    tx.selectFrom('instance').select('id').where('runState', '=', 'failed').limit(50).execute(),
  )
  const start = (instance: string) =>
    attempt(site, 'other', (api) => api.instanceStart({ params: { instance }, query: {} }))
  await Promise.all(failed.map(({ id }) => start(id)))
}

/** Makes a request, whatever comes of it; returns the errors of the server. Waits for a server that is away. */
async function attempt(
  site: Site,
  name: ServerName,
  request: (api: Api) => Promise<unknown>,
): Promise<string[]> {
  try {
    await request(site.apis[name])
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 503
    if (status === 503) await untilAnswers(site, name)
    else if (status >= 500 && status !== 507) return [String(error)]
  }
  return []
}
