/** The row about how the control plane is reached. */
import type { EdgeTable, Tx } from '../tables.ts'

export const edgeIn = (tx: Tx): Promise<EdgeTable> =>
  tx.selectFrom('edge').selectAll().executeTakeFirstOrThrow()

/** The networks that requests are accepted from; null for any. */
export const networksOf = ({ allowedIps }: Pick<EdgeTable, 'allowedIps'>): string[] | null =>
  allowedIps?.split(' ').filter((one) => one !== '') ?? null

/** Networks as they are stored. */
export const storedNetworks = (ips: readonly string[]): string => ips.join(' ')

/** Stores a list. */
export const storeList = (tx: Tx, allowedIps: string | null, now: number): Promise<unknown> =>
  tx.updateTable('edge').set({ allowedIps, timeAllowListModified: now }).execute()
