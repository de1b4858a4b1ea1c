import { pageOf } from '#/resource/address/pageOf.ts'
import { instanceListOfSilo } from '@purlin/contract/operations/instances/instances'
import { createFileRoute } from '@tanstack/react-router'
import type { Item } from '#/api/everyPage.ts'
import { guides, sections } from '#/lib/addresses.ts'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import { deleteAction, type Action } from '#/resource/actions/actions.tsx'
import { deletionOf, instanceActions, moveAction } from './actions.tsx'
import { snapshotMany } from './forMany.tsx'
import { instanceColumns, instancesRead } from './listed.tsx'

export const Route = createFileRoute('/_auth/_silo/instances')({
  ...listRoute(kinds.instance),
  // It has no forms over it, so that its address is its own.
  staticData: { crumb: { label: 'Instances', to: () => sections.siloInstance.list() } },
  loader: (match) => loadList(instances, match),
  component: () => <ResourceList list={instances} />,
})

type Row = Item<typeof instanceListOfSilo>
const projectOf = ({ projectName }: Row) => projectName
const kind = { ...kinds.instance, list: instanceListOfSilo }

/** The server checks the role in the project of each. */
const forMany: readonly Action<Row>[] = [
  moveAction('start', projectOf),
  moveAction('stop', projectOf),
  moveAction('force_stop', projectOf),
  moveAction('reboot', projectOf),
  snapshotMany,
  deleteAction(kind, deletionOf(projectOf)),
].map(({ role: _, ...action }) => action)

const instances: ListOf<typeof instanceListOfSilo> = {
  kind,
  isOfSilo: true,
  docs: {
    summary: 'The instances of all projects that you have a role on. They are created in their projects.',
    links: [guides.instances, guides.projects],
  },
  create: false,
  emptyBody: 'Instances of all your projects are shown here. Create one in a project.',
  actions: (project) => instanceActions(project),
  projectOf,
  forMany,
  ...instancesRead,
  columns: () => [
    {
      id: 'name',
      header: 'name',
      order: 'name',
      cell: ({ name, projectName }) => (
        <CellLink href={pageOf('instance', { project: projectName, name })}>{name}</CellLink>
      ),
    },
    {
      id: 'project',
      header: 'project',
      cell: ({ projectName }) => (
        <TextLink href={sections.instance.list(projectName)}>{projectName}</TextLink>
      ),
    },
    ...instanceColumns<Row>(projectOf),
  ],
}
