/** The options that decide what the form begins with. What is chosen from them is looked for as it is typed. */
import type { diskList } from '@purlin/contract/operations/storage/disks'
import type { imageList } from '@purlin/contract/operations/storage/images'
import { currentUserSshKeyList } from '@purlin/contract/operations/access/ssh-keys'
import { vpcList } from '@purlin/contract/operations/vpcs/vpcs'
import { useSuspenseQueries } from '@tanstack/react-query'
import { load, prefetch } from '#/api/query.ts'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { poolsQuery } from '#/features/ip-pools/queries.ts'
import { offeredSizes, useOfferedSizes } from '#/features/machine-sizes/sizes.ts'
import { utilizationQuery } from '#/features/utilization/quota.ts'
import { kinds } from '#/resource/kinds.ts'
import { offeredPage } from '#/resource/list/listPage.ts'
import { pickerQuery } from '#/resource/form/usePicker.ts'

export type Image = Item<typeof imageList>
export type Disk = Item<typeof diskList>
export type SshKey = Item<typeof currentUserSshKeyList>

/** VPCs that may be the default one: it is among those with that word. */
const mostVpcs = 50

const lists = (project: string) =>
  [
    pickerQuery(kinds.image, { scope: {} }),
    pickerQuery(kinds.image, { scope: { project } }),
    everyPage(currentUserSshKeyList, { query: {} }),
    poolsQuery(),
    pickerQuery(kinds.vpc, { scope: { project } }),
    offeredPage(vpcList, { project }, { find: 'default', limit: mostVpcs }),
  ] as const

/** Loads all in parallel. The quota and the sizes are optional: the form works without them. */
export async function loadOffers(project: string): Promise<void> {
  const [images, ownImages, keys, pools, vpcs, defaults] = lists(project)
  await Promise.all([
    load(images),
    load(ownImages),
    load(keys),
    load(pools),
    load(vpcs),
    load(defaults),
    prefetch(utilizationQuery()),
    prefetch(offeredSizes()),
  ])
}

/** The options, kept up to date. */
export function useOffers(project: string) {
  const [siloImages, projectImages, sshKeys, pools, vpcs, defaults] = useSuspenseQueries({
    queries: lists(project),
  })
  return {
    siloImages: siloImages.data.items,
    projectImages: projectImages.data.items,
    sshKeys: sshKeys.data,
    pools: pools.data,
    vpcs: [...vpcs.data.items, ...defaults.data.items],
    sizes: useOfferedSizes(),
  }
}
export type AllOffers = ReturnType<typeof useOffers>
