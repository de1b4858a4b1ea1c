import { instanceAntiAffinityGroupList } from '@purlin/contract/operations/instances/affinity-groups'
import { imageView } from '@purlin/contract/operations/storage/images'
import { snapshotView } from '@purlin/contract/operations/storage/snapshots'
import { createFileRoute } from '@tanstack/react-router'
import { load, query } from '#/api/query.ts'
import { sendIfThere } from '#/api/send.ts'
import { argsOf, type InstanceTarget } from '#/features/instance-state/update.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { networks } from '#/resource/networks.ts'
import { cloneNote, cloneOf, type Original } from './create/values/clone.ts'
import { loadOffers } from './create/values/data.ts'
import { NewInstance } from './create/NewInstance.tsx'
import { disksQuery, externalIpsQuery, instanceQuery, nicsQuery } from './queries.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances-new/$instance')({
  loader: async ({ params }) => (await Promise.all([loadOriginal(params), loadOffers(params.project)]))[0],
  staticData: { crumb: { label: 'New instance' } },
  // It reads all of an instance, which a pointer on its way to 'Delete' asks for as well.
  preload: false,
  component: CloneInstance,
})

/** The form of a new instance, filled as another one is. */
function CloneInstance() {
  const { project, instance } = Route.useParams()
  const original = Route.useLoaderData()
  return (
    <NewInstance
      key={instance}
      project={project}
      filled={{ values: (offers) => cloneOf(original, offers), note: cloneNote(original) }}
    />
  )
}

async function loadOriginal(target: InstanceTarget): Promise<Original> {
  const [instance, disks, nics, externalIps, groups] = await Promise.all([
    load(instanceQuery(target)),
    load(disksQuery(target)),
    load(nicsQuery(target)),
    load(externalIpsQuery(target)),
    load(query(instanceAntiAffinityGroupList, argsOf(target))),
  ])
  const { imageId, snapshotId } = disks.items.find(({ id }) => id === instance.bootDiskId) ?? {}
  const [image, snapshot, named] = await Promise.all([
    // They may have been deleted since.
    imageId ? sendIfThere(imageView, { params: { image: imageId }, query: {} }) : undefined,
    snapshotId ? sendIfThere(snapshotView, { params: { snapshot: snapshotId }, query: {} }) : undefined,
    Promise.all(nics.items.map(nameNetwork)),
  ])
  return {
    instance,
    disks: disks.items,
    image,
    snapshot,
    nics: named,
    externalIps: externalIps.items,
    groups: groups.items,
  }
}

async function nameNetwork({ name, description, vpcId, subnetId, transitIps }: Nic) {
  const [vpc, subnet] = await Promise.all([
    load(viewQuery(kinds.vpc, vpcId)),
    load(viewQuery(networks.vpcSubnet, subnetId)),
  ])
  return { name, description, vpcName: vpc.name, subnetName: subnet.name, transitIps }
}
interface Nic {
  name: string
  description: string
  vpcId: string
  subnetId: string
  transitIps: readonly string[]
}
