/** The common part of the lists of a project's instances and of those of all projects. */
import { useState } from 'react'
import { reloadAddresses } from '#/features/external-ips/reload.ts'
import { InstanceState } from '#/features/instance-state/InstanceState.tsx'
import { listPoller } from '#/features/instance-state/poll.ts'
import type { Instance } from '#/features/instance-state/update.ts'
import { createdColumn } from '#/resource/list/columns.tsx'
import { Size } from '#/ui/value/Size.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { ownNow } from '#/lib/clock.ts'
import { lazily } from '#/lib/lazily.tsx'
import { ListedIps } from './networking/ListedIps.tsx'

// Few lists show it.
const UseLine = lazily(() => import('./use/UseLine.tsx'), 'UseLine')

/** How the rows are read, and read again. */
export const instancesRead = {
  usePolling() {
    const [nextPoll] = useState(() => listPoller(ownNow))
    return (page?: { items: readonly Instance[] }) => (page ? nextPoll(page.items) : false)
  },
  asksFor: { externalIps: true },
  refresh: reloadAddresses,
}

/** The columns after those that say which instance it is. */
export const instanceColumns = <R extends Instance>(projectOf: (row: R) => string): Column<R>[] => [
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
    cell: (row) => (
      <ListedIps target={{ project: projectOf(row), instance: row.name }} known={row.externalIps} />
    ),
  },
  {
    id: 'use',
    header: 'CPU use',
    tip: 'The share of its vCPUs that a running instance has used in the last hour.',
    isOptional: true,
    cell: (row) => <UseLine project={projectOf(row)} instance={row} />,
  },
  {
    id: 'memoryUse',
    header: 'Memory use',
    tip: 'The share of its memory that a running instance has used in the last hour. Where its guest does not report it, what the machine has taken from its sled.',
    isOptional: true,
    cell: (row) => <UseLine of="Memory" project={projectOf(row)} instance={row} />,
  },
  createdColumn,
]
