import type { instanceCreate } from '@purlin/contract/operations/instances'
import type { Args } from '@purlin/contract/op'
import { GiB } from '@purlin/contract/rules/limits'
import { generateName } from '#/lib/names.ts'
import type { Image } from './data.ts'
import { nicToBody } from '#/features/instances/nic.ts'
import type { DiskRow, InstanceForm } from './form.ts'
import { presetId, sizesOf } from './presets.ts'
import { hasNetwork } from './rules.ts'

/** The request that creates an instance. */
export type InstanceBody = Args<typeof instanceCreate>['body']
type DiskAttachment = NonNullable<InstanceBody['bootDisk']>
type ImageName = Pick<Image, 'id' | 'name'>

/** What the request needs in addition to the form. */
export interface Known {
  /** The image that is selected, if one is. */
  images: readonly ImageName[]
  /** The content of the user data file, if any. */
  userData?: Uint8Array
  /** Six digits for a generated name; random unless given. */
  hex?: () => string
}

/** vCPUs and memory in GiB, of the selected tab. */
export function sizeOf({
  hardware,
  preset,
  cpus,
  memoryGiB,
}: Pick<InstanceForm, 'hardware' | 'preset' | 'cpus' | 'memoryGiB'>) {
  const chosen =
    hardware === 'custom' ? undefined : sizesOf(hardware).find((size) => presetId(size) === preset)
  return chosen ?? { cpus, memoryGiB }
}

/** The id of the image to boot from, or empty. */
export const bootImageOf = ({
  boot,
  siloImage,
  projectImage,
}: Pick<InstanceForm, 'boot' | 'siloImage' | 'projectImage'>): string => {
  if (boot === 'siloImage') return siloImage
  return boot === 'projectImage' ? projectImage : ''
}

function bootDisk(form: InstanceForm, { images, hex }: Known): DiskAttachment {
  if (form.boot === 'disk') return { type: 'attach', name: form.bootDisk }
  const imageId = bootImageOf(form)
  const image = images.find(({ id }) => id === imageId)
  return {
    type: 'create',
    name: form.bootName || generateName([form.name, image?.name ?? ''], hex),
    description: `Created as a boot disk for ${form.name}`,
    size: form.bootSizeGiB * GiB,
    diskSource: { type: 'image', imageId },
  }
}

const attachment = (row: DiskRow): DiskAttachment =>
  row.type === 'create' ? { type: 'create', ...row.body } : { type: 'attach', name: row.name }

const interfaces = ({ network, nics }: InstanceForm): NonNullable<InstanceBody['networkInterfaces']> =>
  network === 'custom' ? { type: 'create', params: nics.map(nicToBody) } : { type: network }

function externalIps(form: InstanceForm): NonNullable<InstanceBody['externalIps']> {
  if (!hasNetwork(form)) return []
  return [
    ...(form.ephemeral ? [{ type: 'ephemeral' as const, pool: form.pool }] : []),
    ...form.floatingIps.map((floatingIp) => ({ type: 'floating' as const, floatingIp })),
  ]
}

/** The request of a valid form. */
export function toBody(form: InstanceForm, known: Known): InstanceBody {
  const { cpus, memoryGiB } = sizeOf(form)
  return {
    name: form.name,
    description: form.description,
    hostname: form.hostname || form.name,
    ncpus: cpus,
    memory: memoryGiB * GiB,
    start: form.start,
    bootDisk: bootDisk(form, known),
    disks: form.disks.map(attachment),
    // Always a list: without it, the server uses all keys of the user.
    sshPublicKeys: form.sshKeys,
    networkInterfaces: interfaces(form),
    externalIps: externalIps(form),
    ...(known.userData ? { userData: known.userData } : {}),
    ...(form.antiAffinityGroups.length > 0 ? { antiAffinityGroups: form.antiAffinityGroups } : {}),
    ...(form.autoRestart === 'default' ? {} : { autoRestartPolicy: form.autoRestart }),
    ...(form.cpuPlatform === 'any' ? {} : { cpuPlatform: form.cpuPlatform }),
  }
}
