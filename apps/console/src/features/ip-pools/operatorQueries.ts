/** IP pools as the screens of operators read them. */
import { ipPoolSiloList, ipPoolUtilizationView } from '@purlin/contract/operations/addresses/system-ip-pools'
import { siloIpPoolList } from '@purlin/contract/operations/silos/system-silos'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { query } from '#/api/query.ts'
import { createSemaphore } from '@purlin/contract/semaphore'

export type SiloLink = Item<typeof ipPoolSiloList>

const named = (pool: string) => ({ params: { pool }, query: {} })

/** All silos that a pool is linked to. */
export const linksQuery = (pool: string) => everyPage(ipPoolSiloList, named(pool))
/** The pools of a silo, of which one may be its default. */
export const poolsOfSiloQuery = (silo: string) => everyPage(siloIpPoolList, { params: { silo }, query: {} })

// A list of pools requests that of each; other requests must not wait for them.
const limit = createSemaphore({ running: 4 })

/** The number of free addresses of a pool, by name or id. Few of these requests run at a time. */
export const utilizationQuery = (pool: string) => {
  const read = query(ipPoolUtilizationView, { params: { pool } })
  const queryFn: typeof read.queryFn = (context) => limit(() => read.queryFn(context))
  return { ...read, queryFn }
}
