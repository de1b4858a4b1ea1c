/** The tables of the editor of port settings: the fields of each row, and how a table shows it. */
import { interfaceKinds, linkFecs, linkSpeeds } from '@purlin/contract/rules/networking'
import { keysOf } from '@purlin/contract/rules/keys'
import { limits } from '@purlin/contract/rules/limits'
import { linesOf } from '#/lib/input/lines.ts'
import { validateIpNet, validateIpWithoutZone } from '#/lib/input/ip.ts'
import type { Check } from '#/lib/input/validate.ts'
import type { Row, RowField, RowTable } from '#/resource/form/rowTable.ts'
import type { Choice } from '#/ui/field/choices.tsx'
import { lldpFields } from '#/features/hardware/change/discovery.ts'

const choicesOf = (values: readonly string[], words: Record<string, string> = {}): Choice[] =>
  values.map((value) => ({ value, label: words[value] ?? value }))

const onLink: RowField = { name: 'linkName', label: 'Link', as: 'choice', from: 'links', required: true }
const vlan = (name: string): RowField => ({ name, label: 'VLAN', as: 'number', min: 0, max: 4094 })
const seconds = (name: string, label: string, start: number): RowField => ({
  name,
  label,
  as: 'number',
  start,
  min: 0,
  max: 65_535,
  required: true,
  hint: 'Seconds',
})
const uint32 = (name: string, label: string): RowField => ({
  name,
  label,
  as: 'number',
  min: 0,
  max: 4_294_967_295,
})
const gain = (name: string, label: string): RowField => ({ name, label, as: 'number', min: -2048, max: 2047 })
const eachNet: Check<string> = (text) => {
  const bad = linesOf(text).find((line) => validateIpNet(line) !== undefined)
  return bad === undefined ? undefined : `${bad} is not a network`
}
const communities: Check<string> = (text) =>
  linesOf(text).some((line) => !/^\d{1,10}$/.test(line)) ? 'One number in each line' : undefined

const policies = choicesOf(['no_filtering', 'allow'], {
  no_filtering: 'All networks',
  allow: 'Only the networks below',
})
const policy = (name: string, label: string): readonly RowField[] => [
  { name: `${name}Policy`, label, as: 'choice', start: 'no_filtering', items: policies, required: true },
  { name: `${name}Networks`, label: `${label}: networks`, as: 'lines', check: eachNet },
]

/** In the order of the form. */
export const rowTables = {
  links: {
    noun: 'link',
    title: 'Links',
    most: 4,
    shown: ['linkName', 'speed', 'mtu'],
    fields: [
      { name: 'linkName', label: 'Name', as: 'text', start: 'phy0', required: true },
      {
        name: 'speed',
        label: 'Speed',
        as: 'choice',
        start: 'speed100_g',
        required: true,
        items: keysOf(linkSpeeds).map((value) => ({ value, label: `${linkSpeeds[value]} Gbit/s` })),
      },
      { name: 'mtu', label: 'MTU', as: 'number', start: 9000, min: 1280, max: 65_535, required: true },
      {
        name: 'fec',
        label: 'Forward error correction',
        as: 'choice',
        items: [{ value: '', label: 'As the module needs' }, ...choicesOf(linkFecs)],
      },
      { name: 'autoneg', label: 'Negotiate speed', as: 'switch', start: false },
      ...lldpFields,
      gain('pre1', 'Transmit equalization: pre 1'),
      gain('pre2', 'Transmit equalization: pre 2'),
      gain('main', 'Transmit equalization: main'),
      gain('post2', 'Transmit equalization: post 2'),
      gain('post1', 'Transmit equalization: post 1'),
    ],
  },
  addresses: {
    noun: 'address',
    title: 'Addresses',
    most: limits.portSettings.addresses,
    shown: ['linkName', 'address', 'addressLot'],
    fields: [
      onLink,
      { name: 'addressLot', label: 'Address lot', as: 'choice', from: 'lots', required: true },
      {
        name: 'address',
        label: 'Address',
        as: 'text',
        required: true,
        check: validateIpNet,
        hint: 'With its prefix length, like 192.0.2.34/30',
      },
      vlan('vlanId'),
    ],
  },
  interfaces: {
    noun: 'interface',
    title: 'Interfaces',
    most: limits.portSettings.addresses,
    shown: ['linkName', 'kind', 'vid'],
    fields: [
      onLink,
      {
        name: 'kind',
        label: 'Kind',
        as: 'choice',
        start: 'primary',
        items: choicesOf(interfaceKinds),
        required: true,
      },
      vlan('vid'),
      { name: 'v6Enabled', label: 'IPv6', as: 'switch', start: true },
    ],
  },
  routes: {
    noun: 'route',
    title: 'Routes',
    most: limits.portSettings.routes,
    shown: ['linkName', 'dst', 'gw'],
    fields: [
      onLink,
      {
        name: 'dst',
        label: 'Destination',
        as: 'text',
        start: '0.0.0.0/0',
        required: true,
        check: validateIpNet,
      },
      { name: 'gw', label: 'Gateway', as: 'text', required: true, check: validateIpWithoutZone },
      vlan('vid'),
      { name: 'ribPriority', label: 'Priority', as: 'number', min: 0, max: 255 },
    ],
  },
  peers: {
    noun: 'BGP peer',
    title: 'BGP peers',
    most: limits.portSettings.peers,
    shown: ['linkName', 'addr', 'bgpConfig'],
    fields: [
      onLink,
      { name: 'addr', label: 'Peer', as: 'text', required: true, check: validateIpWithoutZone },
      { name: 'bgpConfig', label: 'BGP configuration', as: 'choice', from: 'configs', required: true },
      uint32('remoteAsn', 'Remote ASN'),
      {
        name: 'md5AuthKey',
        label: 'MD5 key',
        as: 'text',
        isSecret: true,
        max: limits.bgp.key,
        hint: 'It is not shown again. An empty field keeps the present key.',
      },
      seconds('holdTime', 'Hold time', 6),
      seconds('idleHoldTime', 'Idle hold time', 3),
      seconds('delayOpen', 'Delay of the open message', 0),
      seconds('connectRetry', 'Connect retry', 3),
      seconds('keepalive', 'Keepalive', 2),
      { name: 'minTtl', label: 'Least TTL', as: 'number', min: 0, max: 255 },
      uint32('multiExitDiscriminator', 'Multi-exit discriminator'),
      uint32('localPref', 'Local preference'),
      {
        name: 'communities',
        label: 'Communities',
        as: 'lines',
        check: communities,
        hint: 'One number in each line',
      },
      { name: 'enforceFirstAs', label: 'Enforce the first AS', as: 'switch', start: false },
      ...policy('import', 'Accepted from the peer'),
      ...policy('export', 'Announced to the peer'),
      vlan('vlanId'),
    ],
  },
} as const satisfies Record<string, RowTable>
export type RowTableName = keyof typeof rowTables

/** A new row. */
export const newRow = ({ fields }: RowTable): Row =>
  Object.fromEntries(
    fields.map((field) => [
      field.name,
      field.as === 'number' ? (field.start ?? Number.NaN) : (field.start ?? ''),
    ]),
  )
