import type { instanceList } from '@purlin/contract/operations/instances'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { guides } from '#/lib/addresses.ts'
import { createdColumn, nameColumn } from '#/resource/columns.tsx'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/ResourceList.tsx'
import { listRoute } from '#/resource/routeOptions.tsx'
import { Size } from '#/ui/Size.tsx'
import { instanceActions } from './actions.tsx'
import { reloadAddresses } from '#/features/external-ips/reload.ts'
import { InstanceState } from '#/features/instance-state/InstanceState.tsx'
import { ListedIps } from './ListedIps.tsx'
import { listPoller } from '#/features/instance-state/poll.ts'

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
  create: { label: 'New Instance', emptyLabel: 'New instance' },
  actions: (project) => instanceActions(project),
  usePolling() {
    const [nextPoll] = useState(() => listPoller(Date.now))
    return (page) => (page ? nextPoll(page.items) : false)
  },
  asksFor: { externalIps: true },
  refresh: reloadAddresses,
  columns: (project) => [
    nameColumn(kinds.instance, { project }),
    {
      id: 'state',
      header: 'state',
      order: 'state',
      cell: (instance) => <InstanceState instance={instance} />,
    },
    {
      id: 'cpu',
      header: 'CPU',
      order: 'cpus',
      mono: true,
      cell: ({ ncpus }) => (
        <>
          {ncpus} <span className="text-secondary">{ncpus === 1 ? 'vCPU' : 'vCPUs'}</span>
        </>
      ),
    },
    { id: 'memory', header: 'Memory', order: 'memory', cell: ({ memory }) => <Size bytes={memory} /> },
    {
      id: 'ips',
      header: 'External IPs',
      cell: ({ name, externalIps }) => <ListedIps target={{ project, instance: name }} known={externalIps} />,
    },
    createdColumn,
  ],
}
