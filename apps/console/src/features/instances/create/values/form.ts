/** The values of the form of a new instance, and their defaults. */
import { type DiskBody, diskSize, roomyGiB } from '#/features/disks/body.ts'
import { noneKept, type KeptValues } from '#/resource/form/tags.ts'
import type { NicValues } from '#/features/instances/networking/nic.ts'
import { defaultPool } from '#/features/ip-pools/pools.tsx'
import type { IpPool } from '#/features/ip-pools/queries.ts'
import type { Vpc } from '#/features/vpc-names/queries.ts'
import type { Image, SshKey } from './data.ts'
import type { MachineSize } from '#/features/machine-sizes/sizes.ts'
import { familiesOf, firstOf, type HardwareTab } from './presets.ts'

/** An additional disk, new or existing. Sizes in bytes. */
export type DiskRow = { type: 'create'; body: DiskBody } | { type: 'attach'; name: string; size: number }

/** That of a snapshot is offered to clones of what was made from one. */
export type BootTab = 'siloImage' | 'projectImage' | 'bootSnapshot' | 'disk'

export interface InstanceForm extends KeptValues {
  name: string
  description: string
  start: boolean
  hardware: HardwareTab
  /** Of the selected tab; unused for 'custom'. */
  preset: string
  cpus: number
  /** GiB; NaN while empty, as every number here */
  memoryGiB: number
  /** Only the fields of the selected tab are validated and sent. */
  boot: BootTab
  /** ids */
  siloImage: string
  projectImage: string
  bootSnapshot: string
  bootSizeGiB: number
  /** Empty for a generated one. */
  bootName: string
  /** Name of an existing disk. */
  bootDisk: string
  disks: DiskRow[]
  /** ids */
  sshKeys: string[]
  network: 'none' | 'default' | 'custom'
  nics: NicValues[]
  ephemeral: boolean
  /** name */
  pool: string
  /** names */
  floatingIps: string[]
  /** Empty for the instance's name. */
  hostname: string
  userData: File | null
  /** Sent unless there is a file. */
  userDataText: string
  /** names */
  antiAffinityGroups: string[]
  autoRestart: 'default' | 'never' | 'best_effort'
  cpuPlatform: 'any' | 'amd_milan' | 'amd_turin'
}

/** The options that decide the defaults. */
export interface Offers {
  siloImages: readonly Image[]
  projectImages: readonly Image[]
  sshKeys: readonly SshKey[]
  pools: readonly IpPool[]
  vpcs: readonly Vpc[]
  /** The smallest first. */
  sizes: readonly MachineSize[]
}

const startTab = ({ siloImages, projectImages }: Offers): BootTab => {
  if (siloImages.length > 0) return 'siloImage'
  return projectImages.length > 0 ? 'projectImage' : 'disk'
}

/** The default values. */
export function startForm(offers: Offers): InstanceForm {
  const [firstImage] = [...offers.siloImages, ...offers.projectImages]
  return {
    name: '',
    description: '',
    ...noneKept,
    start: true,
    ...firstOf(familiesOf(offers.sizes)[0]),
    cpus: 2,
    memoryGiB: 8,
    boot: startTab(offers),
    siloImage: '',
    projectImage: '',
    bootSnapshot: '',
    bootSizeGiB: firstImage ? roomyGiB(firstImage.size) : diskSize.initial,
    bootName: '',
    bootDisk: '',
    disks: [],
    sshKeys: offers.sshKeys.map(({ id }) => id),
    network: hasDefaultVpc(offers) ? 'default' : 'none',
    nics: [],
    ephemeral: offers.pools.length > 0,
    pool: defaultPool(offers.pools),
    floatingIps: [],
    hostname: '',
    userData: null,
    userDataText: '',
    antiAffinityGroups: [],
    autoRestart: 'default',
    cpuPlatform: 'any',
  }
}

/** Whether there is a VPC for the network option 'Default'. */
export const hasDefaultVpc = ({ vpcs }: Pick<Offers, 'vpcs'>): boolean =>
  vpcs.some(({ name }) => name === 'default')

/** Whether there is no image to boot from. */
export const hasNoImage = ({
  siloImages,
  projectImages,
}: Pick<Offers, 'siloImages' | 'projectImages'>): boolean => siloImages.length + projectImages.length === 0
