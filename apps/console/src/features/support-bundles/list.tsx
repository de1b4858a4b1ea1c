import type { supportBundleList } from '@purlin/contract/operations/bundles/support-bundles'
import type { SupportBundleState } from '@purlin/contract/rules/support-bundles'
import { createFileRoute } from '@tanstack/react-router'
import { guides, sections } from '#/lib/addresses.ts'
import { usePolling } from '#/live/polling.ts'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { Badge, type BadgeTone } from '#/ui/value/Badge.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { bundleActions } from './actions.tsx'
import { CommentForm } from './CommentForm.tsx'
import { bundle, type Bundle } from './kinds.ts'

export const Route = createFileRoute('/_auth/system/_support-bundles')({
  ...listRoute({ title: 'Support Bundles', section: sections.supportBundle }),
  loader: (match) => loadList(bundles, match),
  component: () => <ResourceList list={bundles} />,
})

const tones: Record<SupportBundleState, BadgeTone> = {
  collecting: 'busy',
  active: 'ok',
  failed: 'danger',
  destroying: 'busy',
}
const isChanging = ({ state }: Bundle) => state === 'collecting' || state === 'destroying'

const bundles: ListOf<typeof supportBundleList> = {
  kind: bundle,
  label: 'Support bundles',
  docs: {
    summary:
      'A support bundle is a zip file with what helps to find a fault: logs, settings, versions and the state of the hardware. It contains no secrets.',
    links: [guides.supportBundles],
  },
  create: {
    label: 'Collect bundle',
    paletteLabel: 'Collect support bundle',
    role: 'admin',
    dialog: (close) => <CommentForm onDismiss={close} />,
  },
  emptyBody: 'Collect one to hand it to those who help you.',
  actions: () => bundleActions,
  usePolling: () => usePolling<Bundle>((row) => (isChanging(row) ? row.state : undefined)),
  columns: () => [
    {
      id: 'created',
      header: 'created',
      isRowHeader: true,
      cell: ({ timeCreated }: Bundle) => <DateTime date={timeCreated} />,
    },
    {
      id: 'state',
      header: 'state',
      cell: ({ state }: Bundle) => (
        <Badge tone={tones[state]} dot>
          {state}
        </Badge>
      ),
    },
    {
      id: 'comment',
      header: 'comment',
      cell: ({ userComment, reasonForFailure }: Bundle) => (
        <span className="inline-block min-w-60 wrap-anywhere whitespace-normal">
          {reasonForFailure ?? userComment ?? <Dash />}
        </span>
      ),
    },
  ],
}
