import { taskList, taskView } from '@purlin/contract/operations/tasks/tasks'
import { filteredKindOf } from '@purlin/contract/schemas/page'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import ListChecks from 'lucide-react/icons/list-checks'
import { errorMessage } from '#/api/errors.ts'
import { prefetch, query } from '#/api/query.ts'
import { guides, paths } from '#/lib/addresses.ts'
import { useActions } from '#/resource/actions/actions.tsx'
import { listPage } from '#/resource/list/listPage.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { usePageOptions } from '#/resource/list/usePageOptions.ts'
import { ownQueries } from '#/resource/role/useRole.ts'
import { UserName } from '#/resource/UserName.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { SideModal } from '#/ui/overlay/SideModal.tsx'
import { isOpen, pollMs, type Task } from './ownTasks.ts'
import { taskActions } from './taskActions.ts'
import { taskColumns } from './taskColumns.tsx'
import { TaskEntry } from './TaskEntry.tsx'
import { tasksSearch, type TasksSearch } from './tasksSearch.ts'

const asksFor = ({ user }: TasksSearch) => (user === undefined ? {} : { asksFor: { user } })

export const Route = createFileRoute('/_auth/_silo/tasks')({
  validateSearch: tasksSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetch(listPage(taskList, {}, { ...deps, ...asksFor(deps) })),
  staticData: { crumb: { label: 'Tasks', to: () => paths.tasks() } },
  component: TasksPage,
})

const summary =
  'A task is an action on several resources. The server does it, also while the console is closed, as the user who began it.'

/** The tasks of the signed-in user or, for administrators, of a user of the silo. */
function TasksPage() {
  const search = Route.useSearch()
  const { user, task } = search
  const navigate = useNavigate()
  const own = useQuery(ownQueries.me()).data?.id
  const { menu } = useActions(taskActions(own), {})
  const options = usePageOptions(
    taskList,
    {},
    {
      type: 'task',
      columns: taskColumns(({ id }) => paths.tasks({ ...search, task: id })),
      ...asksFor(search),
    },
  )
  const { task: _, ...list } = search
  return (
    <>
      <PageHeader icon={<ListChecks />} title="Tasks">
        {options.button}
        <DocsPopover topic="tasks" summary={summary} links={[guides.tasks]} icon={<ListChecks />} />
      </PageHeader>
      {user !== undefined && user !== own && (
        <Notice className="mb-4">
          Tasks of <UserName userId={user} />. <TextLink href={paths.tasks()}>Show your own</TextLink>
        </Notice>
      )}
      <QueryTable<Task>
        label="Tasks"
        queried={filteredKindOf(taskList)}
        query={options.query}
        orders={noOrders}
        columns={options.columns}
        actions={(one) => <RowMenu items={menu(one)} />}
        refetchInterval={(page) => (page?.items.some(isOpen) ? pollMs : false)}
        empty={
          <EmptyState
            icon={<ListChecks />}
            title="No tasks"
            body="Select several rows of a list and choose an action: it appears here with its progress."
          />
        }
      />
      {task !== undefined && (
        <TaskPanel
          id={task}
          own={own}
          onDismiss={() => void navigate({ to: '.', search: list, resetScroll: false })}
        />
      )}
    </>
  )
}

/** They are listed by time. */
const noOrders: ReadonlySet<string> = new Set()

interface TaskPanelProps {
  id: string
  /** The id of the signed-in person. */
  own: string | undefined
  onDismiss: () => void
}

/** One task over the list, whether the page of the list has it or not. */
function TaskPanel({ id, own, onDismiss }: TaskPanelProps) {
  const { data, error } = useQuery({
    ...query(taskView, { params: { task: id } }),
    throwOnError: false,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? pollMs : false),
  })
  return (
    <SideModal title="Task" animate onDismiss={onDismiss}>
      {error && !data && <Notice>Could not load the task: {errorMessage(error)}</Notice>}
      {data && <TaskEntry task={data} isOwn={data.userId === undefined || data.userId === own} />}
    </SideModal>
  )
}
