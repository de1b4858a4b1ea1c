import { createFileRoute, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import Server from 'lucide-react/icons/server'
import { useState } from 'react'
import { prefetch, queryClient } from '../../../../api.ts'
import { InstanceHeader } from './-instances/InstanceHeader.tsx'
import { InstanceProperties } from './-instances/InstanceProperties.tsx'
import { externalIpsQuery, instanceQuery, prefetchNetwork, reloadPage } from './-instances/queries.ts'
import { useProjectRole } from '../../../../parts/access/useProjectRole.ts'
import { afterDelete, instanceActions } from '../../../../parts/instance/instanceActions.tsx'
import { restReason } from '../../../../parts/instance/InstanceState.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { pollInstance } from '../../../../parts/instance/poll.ts'
import { ResizeDialog } from '../../../../parts/instance/lazyDialogs.ts'
import { useLoaded } from '../../../../parts/instance/useLoaded.ts'
import { paths } from '../../../../paths.ts'
import { Tabs } from '../../../../ui/Tabs.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page')({
  loader: ({ params }) => Promise.all([prefetch(externalIpsQuery(params)), prefetchNetwork(params)]),
  component: InstancePage,
})

const tabs = [
  ['Storage', 'storage'],
  ['Networking', 'networking'],
  ['Metrics', 'metrics/cpu'],
  ['Connect', 'connect'],
  ['Settings', 'settings'],
] as const

function InstancePage() {
  const target = Route.useParams()
  const navigate = useNavigate()
  const { lacks } = useProjectRole(target.project)
  const path = useRouterState({ select: (state) => state.location.pathname })
  const [resizing, setResizing] = useState(false)
  const own = instanceQuery(target)
  const instance = useLoaded({
    ...own,
    // The tabs share what this asks for; none of them asks by itself.
    refetchInterval: pollInstance,
  })
  const actions = instanceActions(instance, {
    project: target.project,
    refused: lacks('collaborator'),
    changed: reloadPage,
    resize: () => setResizing(true),
    deleted: async () => {
      await navigate({ href: paths.instances(target.project) })
      queryClient.removeQueries({ queryKey: own.queryKey })
      await afterDelete()
    },
  })
  const reason = restReason(instance)
  return (
    <>
      <InstanceHeader icon={<Server />} title={instance.name} actions={actions} onRefresh={reloadPage} />
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
      <InstanceProperties target={target} instance={instance} />
      <Tabs
        label="Instance"
        path={path}
        className="mt-6"
        tabs={tabs.map(([label, tab]) => {
          const href = paths.instanceTab(target, tab)
          // A tab with tabs of its own is active for all of them.
          return { label, href, activePrefix: href.replace(/\/cpu$/, '') }
        })}
      >
        <Outlet />
      </Tabs>
      {resizing && (
        <ResizeDialog project={target.project} instance={instance} onDismiss={() => setResizing(false)} />
      )}
    </>
  )
}
