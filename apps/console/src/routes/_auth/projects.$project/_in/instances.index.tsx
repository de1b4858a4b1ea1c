import { instanceExternalIpList, instanceList, instanceView } from '@purlin/contract/operations/instances'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import Server from 'lucide-react/icons/server'
import { useState } from 'react'
import { invalidate, prefetch, query, remember } from '../../../../api.ts'
import { GuardedLink } from '../../../../parts/access/GuardedLink.tsx'
import { useProjectRole } from '../../../../parts/access/useProjectRole.ts'
import { useGoTo } from '../../../../parts/goTo.ts'
import { afterDelete, instanceActions } from '../../../../parts/instance/instanceActions.tsx'
import { listPoller } from '../../../../parts/instance/poll.ts'
import { ResizeDialog } from '../../../../parts/instance/lazyDialogs.ts'
import { argsOf, type Instance } from '../../../../parts/instance/update.ts'
import { ListSearch, useSearchOffered } from '../../../../parts/ListSearch.tsx'
import { listPage } from '../../../../parts/listPage.ts'
import { pagingSearch, lookUpLimit, usePaging } from '../../../../parts/paging.ts'
import { QueryTable } from '../../../../parts/QueryTable.tsx'
import { useQuickActions } from '../../../../parts/quickActions.ts'
import { guides, paths } from '../../../../paths.ts'
import { DocsPopover } from '../../../../ui/DocsPopover.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { RowMenu } from '../../../../ui/RowMenu.tsx'
import { BulkActions } from './-instances/BulkActions.tsx'
import { columnsOf } from './-instances/columns.tsx'
import { Toolbar } from './-instances/Toolbar.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps, params: { project } }) => prefetch(listPage(instanceList, { project }, deps)),
  component: InstancesPage,
})

const reload = () => invalidate(instanceList)
const reloadAll = () => invalidate(instanceList, instanceExternalIpList)

function InstancesPage() {
  const { project } = Route.useParams()
  const refused = useProjectRole(project).lacks('collaborator')
  const list = listPage(instanceList, { project }, usePaging().search)
  const { data: page, ...shown } = useQuery({ ...list, placeholderData: keepPreviousData })
  const isSearchable = useSearchOffered(page)
  const rows = page?.items ?? []
  const [resizing, setResizing] = useState<Instance>()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [nextPoll] = useState(() => listPoller(Date.now))
  useQuickActions([{ label: 'New instance', group: 'Actions', href: paths.instanceNew(project) }])
  useGoTo({
    group: 'Go to instance',
    page: list,
    others: query(instanceList, { query: { project, limit: lookUpLimit } }),
    hrefOf: ({ name }) => paths.instance({ project, instance: name }),
  })
  const actionsOf = (instance: Instance) => {
    const resize = () => {
      remember(instanceView, argsOf({ project, instance: instance.name }), instance)
      setResizing(instance)
    }
    const all = instanceActions(instance, { project, refused, changed: reload, deleted: afterDelete, resize })
    return [all.copyId, all.start, all.stop, all.reboot, all.resize, all.console, all.delete]
  }
  const newInstance = (label: string) => (
    <GuardedLink href={paths.instanceNew(project)} refused={refused}>
      <Plus size={14} aria-hidden />
      {label}
    </GuardedLink>
  )
  return (
    <>
      <PageHeader icon={<Server />} title="Instances">
        <DocsPopover
          topic="instances"
          icon={<Server />}
          summary="An instance is a virtual machine: vCPUs, memory, disks and network interfaces. It keeps its disks and addresses while it is stopped."
          links={[guides.instances, guides.remoteAccess]}
        />
        {newInstance('New Instance')}
      </PageHeader>
      <Toolbar
        onRefresh={reloadAll}
        updated={shown.dataUpdatedAt}
        error={shown.error}
        search={isSearchable && <ListSearch label="instances" />}
      >
        <BulkActions
          project={project}
          refused={refused}
          instances={rows.filter(({ id }) => selected.has(id))}
          onClear={() => setSelected(new Set())}
          onDone={reload}
        />
      </Toolbar>
      <QueryTable
        isSearchedAbove
        label="Instances"
        query={list}
        columns={columnsOf(project)}
        actions={(instance) => <RowMenu items={actionsOf(instance)} />}
        selection={{
          mode: 'multiple',
          selected,
          onChange: setSelected,
          labelOf: ({ name }) => `Select ${name}`,
        }}
        refetchInterval={(response) => (response ? nextPoll(response.items) : false)}
        empty={
          <EmptyState
            icon={<Server />}
            title="No instances"
            body="Create an instance to see it here"
            action={newInstance('New instance')}
          />
        }
      />
      {resizing && (
        <ResizeDialog
          key={resizing.id}
          project={project}
          instance={resizing}
          offerLink
          onDismiss={() => setResizing(undefined)}
        />
      )}
    </>
  )
}
