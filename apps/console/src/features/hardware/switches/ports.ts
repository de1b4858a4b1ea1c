import {
  networkingSwitchPortList,
  networkingSwitchPortStatus,
} from '@purlin/contract/operations/hardware/hardware'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { query } from '#/api/query.ts'
import type { Switch } from '../kinds.ts'

export type Port = Item<typeof networkingSwitchPortList>

/** The ports of all switches. */
export const portsQuery = () => everyPage(networkingSwitchPortList, { query: {} })

/** The link of a port, and its module. */
export const portStatusQuery = ({ rackId, location = '' }: Switch, port: string) =>
  query(networkingSwitchPortStatus, { params: { port }, query: { rackId, switchLocation: location } })
