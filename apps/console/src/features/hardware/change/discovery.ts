/** How a link is discovered by its neighbors (LLDP, IEEE 802.1AB), as the rows of a form. */
import type { SwitchPortSettingsCreate } from '@purlin/contract/operations/networking/port-settings'
import { limits } from '@purlin/contract/rules/limits'
import type { In } from '@purlin/contract/schema'
import { validateIpWithoutZone } from '#/lib/input/ip.ts'
import { text, textOrNone, type Row, type RowField, type RowTable } from '#/resource/form/rowTable.ts'

const { text: mostText } = limits.portSettings
const lldpText = (name: string, label: string): RowField => ({ name, label, as: 'text', max: mostText })

/** How a link is discovered by its neighbors. */
export const lldpFields: readonly RowField[] = [
  { name: 'lldp', label: 'LLDP', hint: 'The port says who it is.', as: 'switch', start: true },
  lldpText('lldpLinkName', 'LLDP: link name'),
  lldpText('lldpLinkDescription', 'LLDP: link description'),
  lldpText('lldpChassisId', 'LLDP: chassis ID'),
  lldpText('lldpSystemName', 'LLDP: system name'),
  lldpText('lldpSystemDescription', 'LLDP: system description'),
  {
    name: 'lldpManagementIp',
    label: 'LLDP: management address',
    as: 'text',
    check: (address) => (address.trim() === '' ? undefined : validateIpWithoutZone(address)),
  },
]

/** The part of a link that can be set alone, on a port that has settings. */
export const lldpTable: RowTable = { noun: 'LLDP', title: 'LLDP', most: 1, shown: [], fields: lldpFields }

type Lldp = In<typeof SwitchPortSettingsCreate>['links'][number]['lldp']

/** LLDP of a link → row of a form. */
export const lldpRow = (lldp: Lldp): Row => ({
  lldp: lldp.enabled,
  lldpLinkName: text(lldp.linkName),
  lldpLinkDescription: text(lldp.linkDescription),
  lldpChassisId: text(lldp.chassisId),
  lldpSystemName: text(lldp.systemName),
  lldpSystemDescription: text(lldp.systemDescription),
  lldpManagementIp: text(lldp.managementIp),
})

/** Row of a form → LLDP of a link. */
export const lldpIn = (row: Row): Lldp => ({
  enabled: row['lldp'] === true,
  linkName: textOrNone(row, 'lldpLinkName'),
  linkDescription: textOrNone(row, 'lldpLinkDescription'),
  chassisId: textOrNone(row, 'lldpChassisId'),
  systemName: textOrNone(row, 'lldpSystemName'),
  systemDescription: textOrNone(row, 'lldpSystemDescription'),
  managementIp: textOrNone(row, 'lldpManagementIp'),
})
