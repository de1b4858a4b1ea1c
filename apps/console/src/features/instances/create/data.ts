/** The options that the form offers. Every list is read in full. */
import { diskList } from '@purlin/contract/operations/disks'
import { imageList } from '@purlin/contract/operations/images'
import { currentUserSshKeyList } from '@purlin/contract/operations/ssh-keys'
import { useSuspenseQueries } from '@tanstack/react-query'
import { load, prefetch } from '#/api/query.ts'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { floatingIpsQuery, poolsQuery } from '#/features/ip-pools/queries.ts'
import { vpcsQuery } from '#/features/vpc-names/queries.ts'
import { utilizationQuery } from '#/features/utilization/quota.ts'

export type Image = Item<typeof imageList>
export type Disk = Item<typeof diskList>
export type SshKey = Item<typeof currentUserSshKeyList>

const lists = (project: string) =>
  [
    everyPage(imageList, { query: {} }),
    everyPage(imageList, { query: { project } }),
    everyPage(diskList, { query: { project } }),
    everyPage(currentUserSshKeyList, { query: {} }),
    poolsQuery(),
    floatingIpsQuery(project),
    vpcsQuery(project),
  ] as const

/** Loads all lists in parallel. The quota is optional: the form works without it. */
export async function loadOffers(project: string): Promise<void> {
  const [images, ownImages, disks, keys, pools, floating, vpcs] = lists(project)
  await Promise.all([
    load(images),
    load(ownImages),
    load(disks),
    load(keys),
    load(pools),
    load(floating),
    load(vpcs),
    prefetch(utilizationQuery()),
  ])
}

/** The options, kept up to date. */
export function useOffers(project: string) {
  const [siloImages, projectImages, disks, sshKeys, pools, floatingIps, vpcs] = useSuspenseQueries({
    queries: lists(project),
  })
  return {
    siloImages: siloImages.data,
    projectImages: projectImages.data,
    disks: disks.data,
    sshKeys: sshKeys.data,
    pools: pools.data,
    floatingIps: floatingIps.data,
    vpcs: vpcs.data,
  }
}
export type AllOffers = ReturnType<typeof useOffers>
