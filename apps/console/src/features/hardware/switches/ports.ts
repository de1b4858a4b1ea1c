import {
  networkingSwitchPortList,
  networkingSwitchPortStatus,
} from '@purlin/contract/operations/hardware/hardware'
import { networkingSwitchPortSettingsList } from '@purlin/contract/operations/networking/port-settings'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { query } from '#/api/query.ts'
import type { Switch } from '../kinds.ts'

export type Port = Item<typeof networkingSwitchPortList>

/** The ports of all switches. */
export const portsQuery = () => everyPage(networkingSwitchPortList, { query: {} })

/** Ports in the order of people: by switch, and `qsfp2` before `qsfp10`. */
export const inOrder = (ports: readonly Port[]): Port[] =>
  ports.toSorted(
    (a, b) =>
      a.switchLocation.localeCompare(b.switchLocation, 'en') ||
      a.portName.localeCompare(b.portName, 'en', { numeric: true }),
  )

/** All settings of ports. */
export const portSettingsQuery = () => everyPage(networkingSwitchPortSettingsList, { query: {} })

/** The link of a port, and its module. */
export const portStatusQuery = ({ rackId, location = '' }: Switch, port: string) =>
  query(networkingSwitchPortStatus, { params: { port }, query: { rackId, switchLocation: location } })
