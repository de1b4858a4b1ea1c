import type { instanceCreate } from '@purlin/contract/operations/instances/instances'
import type { Args } from '@purlin/contract/op'
import { GiB } from '@purlin/contract/rules/limits'
import { withKept } from '#/resource/form/tags.ts'
import { generateName } from '#/lib/input/names.ts'
import type { Image } from './data.ts'
import { nicToBody } from '#/features/instances/networking/nic.ts'
import type { DiskRow, InstanceForm } from './form.ts'
import { sizeOfPreset } from './presets.ts'
import { hasNetwork } from './rules.ts'

/** The request that creates an instance. */
export type InstanceBody = Args<typeof instanceCreate>['body']
type DiskAttachment = NonNullable<InstanceBody['bootDisk']>
type Source = Pick<Image, 'id' | 'name'>

/** The further input of the request. */
export interface Known {
  /** The image or snapshot that is selected, if one is. */
  sources: readonly Source[]
  /** The user data, if any. */
  userData?: Uint8Array
  /** Six digits for a generated name; random unless given. */
  hex?: () => string
}

/** vCPUs and memory in GiB, of the selected tab. */
export const sizeOf = ({
  hardware,
  preset,
  cpus,
  memoryGiB,
}: Pick<InstanceForm, 'hardware' | 'preset' | 'cpus' | 'memoryGiB'>) =>
  hardware === 'custom' ? { cpus, memoryGiB } : sizeOfPreset(preset)

/** The id of what the new boot disk is made from, or empty. */
export const bootSourceOf = (
  form: Pick<InstanceForm, 'boot' | 'siloImage' | 'projectImage' | 'bootSnapshot'>,
): string => (form.boot === 'disk' ? '' : form[form.boot])

function bootDisk(form: InstanceForm, { sources, hex }: Known): DiskAttachment {
  if (form.boot === 'disk') return { type: 'attach', name: form.bootDisk }
  const id = bootSourceOf(form)
  const source = sources.find((one) => one.id === id)
  return {
    type: 'create',
    name: form.bootName || generateName([form.name, source?.name ?? ''], hex),
    description: `Created as a boot disk for ${form.name}`,
    size: form.bootSizeGiB * GiB,
    diskSource:
      form.boot === 'bootSnapshot' ? { type: 'snapshot', snapshotId: id } : { type: 'image', imageId: id },
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
  const body: InstanceBody = {
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
  return withKept(body, form)
}
