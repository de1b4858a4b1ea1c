import type { instanceList } from '@purlin/contract/operations/instances/instances'
import { createFileRoute } from '@tanstack/react-router'
import { guides } from '#/lib/addresses.ts'
import { nameColumn } from '#/resource/list/columns.tsx'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { instanceActions } from './actions.tsx'
import { forMany } from './forMany.tsx'
import { instanceColumns, instancesRead } from './listed.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/')({
  ...listRoute(kinds.instance),
  // The crumb is that of the layout around it, which the page of an instance has as well.
  staticData: {},
  loader: (match) => loadList(instances, match),
  component: () => <ResourceList list={instances} />,
})

const instances: ListOf<typeof instanceList> = {
  kind: kinds.instance,
  docs: {
    summary:
      'An instance is a virtual machine: vCPUs, memory, disks and network interfaces. It keeps its disks and addresses while it is stopped.',
    links: [guides.instances, guides.remoteAccess],
  },
  actions: (project) => instanceActions(project, { forMany: forMany(project) }),
  ...instancesRead,
  columns: (project) => [nameColumn(kinds.instance, { project }), ...instanceColumns(() => project)],
}
