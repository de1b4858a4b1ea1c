import { createFileRoute, Outlet, useNavigate } from '@tanstack/react-router'
import Server from 'lucide-react/icons/server'
import { prefetch, queryClient } from '#/api/query.ts'
import { InstanceHeader } from './page/InstanceHeader.tsx'
import { InstanceProperties } from './page/InstanceProperties.tsx'
import { externalIpsQuery, instanceQuery, prefetchNetwork, reloadPage } from './queries.ts'
import { instanceActions } from './actions.tsx'
import { useActions, useMenuInPalette } from '#/resource/actions/actions.tsx'
import { restReason } from '#/features/instance-state/InstanceState.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { pollInstance } from '#/features/instance-state/poll.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { paths, sections } from '#/lib/addresses.ts'
import { Tabs } from '#/ui/layout/Tabs.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page')({
  loader: ({ params }) => Promise.all([prefetch(externalIpsQuery(params)), prefetchNetwork(params)]),
  component: InstancePage,
})

const tabs = [
  ['Storage', 'storage'],
  ['Snapshots', 'snapshots'],
  ['Networking', 'networking'],
  ['Metrics', 'metrics/cpu'],
  ['Connect', 'connect'],
  ['Settings', 'settings'],
  ['Activity', 'activity'],
] as const

function InstancePage() {
  const target = Route.useParams()
  const navigate = useNavigate()
  const own = instanceQuery(target)
  const instance = useLoaded({
    ...own,
    // The tabs share what this asks for; none of them asks by itself.
    refetchInterval: pollInstance,
  })
  const usable = useActions(
    instanceActions(target.project, {
      reload: reloadPage,
      isInList: false,
      leave: async () => {
        await navigate({ href: sections.instance.list(target.project) })
        queryClient.removeQueries({ queryKey: own.queryKey })
      },
    }),
    target,
  )
  const menu = usable.menu(instance)
  useMenuInPalette(menu, instance)
  const reason = restReason(instance)
  return (
    <>
      <InstanceHeader
        icon={<Server />}
        title={instance.name}
        runState={instance.runState}
        menu={menu}
        onRefresh={reloadPage}
      />
      {reason && (
        <Notice
          tone="danger"
          title={
            instance.runState === 'failed' ? 'This instance has failed' : 'This instance could not be started'
          }
          className="mb-4"
        >
          {reason}
        </Notice>
      )}
      {instance.waitReason && (
        <Notice title="The state of this instance may be out of date" className="mb-4">
          {instance.waitReason}
        </Notice>
      )}
      <InstanceProperties target={target} instance={instance} />
      <Tabs
        label="Instance"
        className="mt-6"
        tabs={tabs.map(([label, tab]) => {
          const href = paths.instanceTab(target, tab)
          // A tab with sub-tabs is active for all of them.
          return { label, href, activePrefix: href.replace(/\/cpu$/, '') }
        })}
      >
        <Outlet />
      </Tabs>
      {usable.dialog}
    </>
  )
}
