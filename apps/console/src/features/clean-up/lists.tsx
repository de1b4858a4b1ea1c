/** The lists of what nothing uses in a project, one for each kind. */
import { limits } from '@purlin/contract/rules/limits'
import type { ReactNode } from 'react'
import { query } from '#/api/query.ts'
import { diskActions } from '#/features/disks/actions.tsx'
import { DiskSource, type Disk } from '#/features/disks/disks.tsx'
import { floatingIpActions } from '#/features/floating-ips/actions.tsx'
import { projectImageActions } from '#/features/images/actions.tsx'
import type { Image } from '#/features/images/images.tsx'
import { instanceActions } from '#/features/instances/actions.tsx'
import type { Instance } from '#/features/instance-state/update.ts'
import { snapshotActions } from '#/features/snapshots/actions.tsx'
import type { KindList, Scope } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { nameColumn } from '#/resource/list/columns.tsx'
import type { PagingSearch } from '#/resource/list/paging.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Address } from '#/ui/value/Address.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { RelativeTime } from '#/ui/value/RelativeTime.tsx'
import { Size } from '#/ui/value/Size.tsx'

interface Unused {
  title: string
  load: (match: { params: Scope; deps: PagingSearch }) => Promise<unknown>
  show: () => ReactNode
  /** Reads how many there are. */
  count: (project: string) => ReturnType<typeof countQuery>
}

const countQuery = (list: KindList, project: string) => ({
  ...query(list, { query: { project, unused: true, limit: 1, total: true } }),
  throwOnError: false,
})

type Own<L extends KindList> = Pick<ListOf<L>, 'kind' | 'actions' | 'columns' | 'emptyBody'> & {
  /** Which ones are listed, and what is known of their use. */
  about: string
}

/** A list whose rows nothing uses. */
function unused<L extends KindList>({ about, ...own }: Own<L>): Unused {
  const { title, noun } = own.kind
  const list: ListOf<L> = {
    ...own,
    asksFor: { unused: true },
    isTab: true,
    create: false,
    changesTags: false,
    label: `Unused ${title}`,
    emptyTitle: `No unused ${noun}s`,
    above: () => <p className="mb-3 text-secondary">{about}</p>,
  }
  return {
    title,
    load: (match) => loadList(list, match),
    show: () => <ResourceList list={list} />,
    count: (project) => countQuery(own.kind.list, project),
  }
}

const sizeColumn: Column<{ size: number }> = {
  id: 'size',
  header: 'size',
  order: 'size',
  cell: ({ size }) => <Size bytes={size} />,
}
const ageColumn: Column<{ timeCreated: Date }> = {
  id: 'age',
  header: 'age',
  order: 'time_created',
  cell: ({ timeCreated }) => <RelativeTime date={timeCreated} caption="Created" />,
}
const lastUseColumn = (caption: string, tip: string): Column<{ timeLastUsed?: Date | undefined }> => ({
  id: 'lastUse',
  header: 'last use',
  order: 'last_used',
  tip: `${tip} Not known if that never happened, or before Purlin recorded it.`,
  cell: ({ timeLastUsed }) =>
    timeLastUsed ? (
      <RelativeTime date={timeLastUsed} caption={caption} />
    ) : (
      <span className="text-secondary">not known</span>
    ),
})
const detached = lastUseColumn('Detached', 'When it was last detached from an instance.')
const protectionColumn: Column<{ protected?: boolean | undefined }> = {
  id: 'protection',
  header: 'protection',
  cell: ({ protected: isProtected }) => isProtected && <Badge>protected</Badge>,
}

export const unusedLists: Readonly<Record<string, Unused>> = {
  disks: unused({
    kind: kinds.disk,
    about: 'Disks that are attached to no instance.',
    emptyBody: 'Every disk of this project is attached to an instance.',
    actions: (project) => diskActions(project),
    columns: (project) => [
      nameColumn(kinds.disk, { project }),
      {
        id: 'source',
        header: 'source',
        cell: (disk: Disk) => <DiskSource project={project} disk={disk} inCell />,
      },
      sizeColumn,
      ageColumn,
      detached,
      protectionColumn,
    ],
  }),
  snapshots: unused({
    kind: kinds.snapshot,
    about: 'Snapshots whose disk was deleted.',
    emptyBody: 'The disk of every snapshot of this project still exists.',
    actions: (project) => snapshotActions(project),
    columns: (project) => [
      nameColumn(kinds.snapshot, { project }),
      sizeColumn,
      ageColumn,
      lastUseColumn(
        'Last used',
        'When a disk or an image was last made from it, or its disk rolled back to it.',
      ),
      protectionColumn,
    ],
  }),
  images: unused({
    kind: kinds.image,
    about: 'Images of the project that no existing disk was made from.',
    emptyBody: 'A disk was made from every image of this project.',
    actions: projectImageActions,
    columns: (project) => [
      nameColumn(kinds.image, { project }),
      { id: 'os', header: 'OS', cell: ({ os, version }: Image) => `${os} ${version}` },
      sizeColumn,
      ageColumn,
      lastUseColumn('Last used', 'When a disk was last made from it.'),
      protectionColumn,
    ],
  }),
  'floating-ips': unused({
    kind: kinds.floatingIp,
    about: 'Addresses that are attached to no instance.',
    emptyBody: 'Every floating IP of this project is attached to an instance.',
    actions: floatingIpActions,
    columns: (project) => [
      nameColumn(kinds.floatingIp, { project }),
      { id: 'ip', header: 'IP address', order: 'ip', cell: ({ ip }: { ip: string }) => <Address ip={ip} /> },
      ageColumn,
      detached,
      protectionColumn,
    ],
  }),
  instances: unused({
    kind: kinds.instance,
    about: `Instances that have been stopped for ${limits.unused.stoppedDays} days or more. They use no CPU and memory; their disks and addresses count.`,
    emptyBody: `No instance of this project has been stopped for ${limits.unused.stoppedDays} days.`,
    actions: (project) => instanceActions(project),
    columns: (project) => [
      nameColumn(kinds.instance, { project }),
      {
        id: 'stopped',
        header: 'stopped for',
        cell: ({ timeRunStateUpdated }: Instance) => (
          <RelativeTime date={timeRunStateUpdated} caption="Stopped" />
        ),
      },
      {
        id: 'memory',
        header: 'Memory',
        order: 'memory',
        cell: ({ memory }: Instance) => <Size bytes={memory} />,
      },
      ageColumn,
      protectionColumn,
    ],
  }),
}
