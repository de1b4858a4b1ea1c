/** The error messages of fields; undefined for valid values. */
import { diskCan } from '@purlin/contract/rules/states'
import { limits } from '@purlin/contract/rules/limits'
import { hostnameProblem } from '@purlin/contract/rules/names'
import { externalIpLimit } from '#/features/external-ips/externalIps.ts'
import { nicLimit, type NicValues } from '#/features/instances/networking/nic.ts'
import type { Disk } from './data.ts'
import type { DiskRow, InstanceForm } from './form.ts'

const { instance } = limits
const inUse = 'Name is already in use'
const most = (count: number, nouns: string) => `An instance supports a maximum of ${count} ${nouns}`

/** Whether a new instance can use the disk. */
export const bootable = ({ state }: Pick<Disk, 'state'>): boolean => diskCan('attach', state.state)

export const rowName = (row: DiskRow): string => (row.type === 'create' ? row.body.name : row.name)
const newNames = (rows: readonly DiskRow[]) => rows.filter((row) => row.type === 'create').map(rowName)

/** The name of the boot disk among the new ones; an empty one is generated. */
export const bootNameProblem = (name: string, { disks }: Pick<InstanceForm, 'disks'>): string | undefined =>
  newNames(disks).includes(name) ? inUse : undefined

/** Names that are not available for another new disk. */
export const namesTaken = ({
  disks,
  boot,
  bootName,
}: Pick<InstanceForm, 'disks' | 'boot' | 'bootName'>): string[] => [
  ...newNames(disks),
  ...(boot !== 'disk' && bootName !== '' ? [bootName] : []),
]

/** Existing disks that the form uses, as boot disk or additional disk. */
export const disksChosen = ({
  disks,
  boot,
  bootDisk,
}: Pick<InstanceForm, 'disks' | 'boot' | 'bootDisk'>): string[] => [
  ...disks.filter((row) => row.type === 'attach').map(rowName),
  ...(boot === 'disk' && bootDisk !== '' ? [bootDisk] : []),
]

export const bootDiskProblem = (name: string, { disks }: Pick<InstanceForm, 'disks'>): string | undefined =>
  disks.some((row) => row.type === 'attach' && row.name === name)
    ? 'This disk is in the list of additional disks. Remove it there or choose another one.'
    : undefined

/** Why no further disk can be added. The boot disk counts as well. */
export const diskLimit = (count: number): string | undefined =>
  count >= instance.disks - 1 ? `${most(instance.disks, 'disks')}, including the boot disk` : undefined
export const disksProblem = (rows: readonly DiskRow[]): string | undefined => diskLimit(rows.length - 1)

export const sshKeysProblem = (ids: readonly string[]): string | undefined =>
  ids.length > instance.sshKeys ? most(instance.sshKeys, 'SSH keys') : undefined

const isDistinct = (texts: readonly string[]) => new Set(texts).size === texts.length

export function nicsProblem(nics: readonly NicValues[]): string | undefined {
  if (nics.length === 0) return 'Add at least one network interface, or choose another option'
  if (!isDistinct(nics.map(({ name }) => name))) return 'Network interfaces must have different names'
  if (new Set(nics.map(({ vpcName }) => vpcName)).size > 1) return 'All interfaces must be in the same VPC'
  if (!isDistinct(nics.map(({ subnetName }) => subnetName)))
    return 'Each interface must be in a different subnet'
  return nicLimit(nics.length - 1)
}

/** External addresses need a network interface. */
export const hasNetwork = ({ network }: Pick<InstanceForm, 'network'>): boolean => network !== 'none'

/** The number of external IPs, including the ephemeral one. */
export const externalIpCount = ({
  ephemeral,
  floatingIps,
}: Pick<InstanceForm, 'ephemeral' | 'floatingIps'>) => floatingIps.length + Number(ephemeral)
export const externalIpsProblem = (form: Pick<InstanceForm, 'ephemeral' | 'floatingIps'>) =>
  externalIpLimit(externalIpCount(form) - 1)

export const hostnameComplaint = (text: string): string | undefined =>
  text !== '' && hostnameProblem(text)
    ? 'Must be 1 to 253 characters: labels of letters, digits and inner dashes, separated by dots'
    : undefined
