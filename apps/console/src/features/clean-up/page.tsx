import { useQueries } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import Eraser from 'lucide-react/icons/eraser'
import { prefetch } from '#/api/query.ts'
import { guides, paths } from '#/lib/addresses.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { Tabs } from '#/ui/layout/Tabs.tsx'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { unusedLists } from './lists.tsx'

const tabs = Object.entries(unusedLists)

export const Route = createFileRoute('/_auth/projects/$project/_in/clean-up/$unused')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) => {
    const list = unusedLists[params.unused] ?? notFound({ throw: true })
    return Promise.all([
      'load' in list ? list.load({ params, deps }) : undefined,
      prefetch(...tabs.map(([, { count }]) => count(params.project))),
    ])
  },
  staticData: { crumb: { label: 'Clean Up', to: (params) => paths.cleanUp(params['project'] ?? '') } },
  component: CleanUp,
})

/** The resources of a project that nothing uses, by kind, to delete them together. */
function CleanUp() {
  const { project, unused } = Route.useParams()
  const counts = useQueries({ queries: tabs.map(([, { count }]) => count(project)) })
  return (
    <>
      <PageHeader icon={<Eraser />} title="Clean Up">
        <DocsPopover
          topic="clean-up"
          icon={<Eraser />}
          summary="Resources that nothing uses still count against the quota. Select the ones that you do not need and delete them together; protected ones stay."
          links={[guides.cleanUp]}
        />
      </PageHeader>
      <Tabs
        label="Unused resources"
        tabs={tabs.map(([path, { title }], i) => ({
          label: labelOf(title, counts[i]?.data),
          href: paths.cleanUp(project, path),
        }))}
      >
        <Shown key={unused} unused={unused} />
      </Tabs>
    </>
  )
}

const Shown = ({ unused }: { unused: string }) => unusedLists[unused]?.show()

/** `Disks (3)`, once it is known. */
function labelOf(title: string, page: unknown): string {
  const { totalItems } = (page ?? {}) as { totalItems?: number }
  return totalItems === undefined ? title : `${title} (${totalItems.toLocaleString()})`
}
