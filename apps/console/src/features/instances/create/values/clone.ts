/** A new instance like another one. */
import type { instanceAntiAffinityGroupList } from '@purlin/contract/operations/instances/affinity-groups'
import type { instanceExternalIpList } from '@purlin/contract/operations/addresses/external-ips'
import type { instanceDiskList, instanceView } from '@purlin/contract/operations/instances/instances'
import type { Result } from '@purlin/contract/op'
import { GiB } from '@purlin/contract/rules/limits'
import type { Item } from '#/api/everyPage.ts'
import { cloneOf as cloneOfDisk, diskToBody, leastGiB } from '#/features/disks/body.ts'
import type { NicValues } from '#/features/instances/networking/nic.ts'
import { tagsText } from '#/resource/form/tags.ts'
import { copyName } from '#/lib/input/names.ts'
import { hasDefaultVpc, type InstanceForm, type Offers, startForm } from './form.ts'
import { presetOf } from './presets.ts'

/** An instance with what belongs to it. */
export interface Original {
  instance: Pick<
    Result<typeof instanceView>,
    'name' | 'description' | 'tags' | 'ncpus' | 'memory' | 'bootDiskId' | 'autoRestartPolicy' | 'cpuPlatform'
  >
  disks: readonly Pick<
    Item<typeof instanceDiskList>,
    'id' | 'name' | 'description' | 'size' | 'blockSize' | 'imageId' | 'snapshotId'
  >[]
  /** The image or snapshot that its boot disk was made from, while there is one. */
  image: { id: string; projectId?: string | null | undefined } | undefined
  snapshot: { id: string } | undefined
  nics: readonly Omit<NicValues, 'ip'>[]
  externalIps: readonly { kind: Item<typeof instanceExternalIpList>['kind']; ipPoolId: string }[]
  groups: readonly Pick<Item<typeof instanceAntiAffinityGroupList>, 'name'>[]
}

/**
 * The form, filled as the instance is: with new disks of the same sizes and sources, the same networks with addresses of its
 * own, groups and policies. What only one can have, such as a floating IP, is left out.
 */
export function cloneOf(original: Original, offers: Offers): InstanceForm {
  const { instance, disks, groups } = original
  const form = startForm(offers)
  const others = disks.filter(({ id }) => id !== instance.bootDiskId)
  return {
    ...form,
    name: copyName(instance.name),
    description: instance.description,
    tags: tagsText(instance.tags),
    ...hardwareOf(instance, offers),
    ...bootOf(original),
    disks: others.map((disk) => ({ type: 'create', body: diskToBody(cloneOfDisk(disk)) })),
    ...networkOf(original, offers, form.pool),
    antiAffinityGroups: groups.map(({ name }) => name),
    autoRestart: instance.autoRestartPolicy ?? 'default',
    cpuPlatform: instance.cpuPlatform ?? 'any',
  }
}

const hardwareOf = (
  { ncpus, memory }: Original['instance'],
  { sizes }: Pick<Offers, 'sizes'>,
): Partial<InstanceForm> => ({
  ...presetOf(sizes, { ncpus, memory }),
  cpus: ncpus,
  memoryGiB: memory / GiB,
})

/** The disk that it boots from. */
const bootDiskOf = ({ instance, disks }: Pick<Original, 'instance' | 'disks'>) =>
  disks.find(({ id }) => id === instance.bootDiskId)

/** The image or snapshot that it was booted from first; what a disk of neither boots from has to be chosen. */
function bootOf(original: Original): Partial<InstanceForm> {
  const { image, snapshot } = original
  const disk = bootDiskOf(original)
  const source = image ?? snapshot
  if (!disk || !source) return {}
  const boot = snapshot ? 'bootSnapshot' : image?.projectId ? 'projectImage' : 'siloImage'
  return { boot, [boot]: source.id, bootSizeGiB: leastGiB(disk.size) }
}

/** The parts that the form leaves out, and the choices that it needs. */
export function cloneNote(original: Original): string {
  const { instance, image, snapshot } = original
  const disk = bootDiskOf(original)
  const boot =
    image || snapshot
      ? ''
      : !disk
        ? 'It has no boot disk: choose a boot disk for the new instance.'
        : disk.imageId || disk.snapshotId
          ? `The source of its boot disk ${disk.name} was deleted: choose a boot disk for the new instance.`
          : `Its boot disk ${disk.name} was created blank: choose a boot disk for the new instance.`
  const data =
    'The data of its disks and its user data are not copied. To copy a disk, take a snapshot of it and create a disk from the snapshot.'
  return [`Prefilled from ${instance.name}.`, boot, data].filter(Boolean).join(' ')
}

function networkOf({ nics, externalIps }: Original, offers: Offers, pool: string): Partial<InstanceForm> {
  const [first, ...more] = nics
  const ephemeral = externalIps.find(({ kind }) => kind === 'ephemeral')
  const from = offers.pools.find(({ id }) => id === ephemeral?.ipPoolId)?.name ?? pool
  const addresses = { ephemeral: ephemeral !== undefined && from !== '', pool: from }
  if (!first) return { network: 'none', ...addresses }
  const isPlain = more.length === 0 && (first.transitIps ?? []).length === 0
  const isDefault = isPlain && first.vpcName === 'default' && first.subnetName === 'default'
  if (isDefault && hasDefaultVpc(offers)) return { network: 'default', ...addresses }
  return { network: 'custom', nics: nics.map((nic) => ({ ...nic, ip: '' })), ...addresses }
}
