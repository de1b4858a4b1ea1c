import {
  networkingSwitchPortList,
  networkingSwitchPortStatus,
} from '@purlin/contract/operations/hardware/hardware'
import { everyPage } from '#/api/everyPage.ts'
import { query } from '#/api/query.ts'
import type { Switch } from '../kinds.ts'

/** The ports of all switches. */
export const portsQuery = () => everyPage(networkingSwitchPortList, { query: {} })

/** The link of a port, and its module. */
export const portStatusQuery = ({ rackId, location = '' }: Switch, port: string) =>
  query(networkingSwitchPortStatus, { params: { port }, query: { rackId, switchLocation: location } })
