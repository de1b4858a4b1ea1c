import type { userDataTemplateList } from '@purlin/contract/operations/user-data/templates'
import { createFileRoute } from '@tanstack/react-router'
import { guides } from '#/lib/addresses.ts'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { kinds } from '#/resource/kinds.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/resource/list/columns.tsx'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { templateActions } from './actions.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_user-data-templates')({
  ...listRoute(kinds.userDataTemplate),
  loader: (match) => loadList(templates, match),
  component: () => <ResourceList list={templates} />,
})

const templates: ListOf<typeof userDataTemplateList> = {
  kind: kinds.userDataTemplate,
  docs: {
    summary:
      'A template is user data for cloud-init with fields. The form of a new instance asks for their values and fills them in.',
    links: [guides.userDataTemplates],
  },
  emptyBody:
    'Keep the user data of your instances here, with fields for what differs: a host name, keys, a password.',
  actions: templateActions,
  columns: (project) => [
    nameColumn(kinds.userDataTemplate, { project }),
    descriptionColumn,
    { id: 'fields', header: 'fields', order: 'fields', cell: ({ fieldCount }) => fieldCount ?? <Dash /> },
    createdColumn,
  ],
}
