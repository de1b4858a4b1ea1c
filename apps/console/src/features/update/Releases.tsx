import { repositoriesKept } from '@purlin/contract/rules/updates'
import { targetReleaseUpdate } from '@purlin/contract/operations/updates/repositories'
import { isOlder } from '@purlin/contract/rules/versions'
import { countOf } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import PackageIcon from 'lucide-react/icons/package'
import { requestTo } from '#/api/request.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { Card } from '#/ui/layout/Card.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { componentWords, targetReason } from './progress.ts'
import { planQuery, reloadReleases, reloadStatus, type Repository } from './queries.ts'
import { Refusals, UploadButton, UploadRows } from './Uploads.tsx'

/** The releases that were uploaded, and the uploads under way. */
export function Releases({
  repositories,
  target,
}: {
  repositories: readonly Repository[]
  target: string | undefined
}) {
  const { lacks } = useRole(undefined, 'fleet')
  return (
    <Card
      title="Releases"
      description={`A release is verified when it is uploaded: it must be signed by a trust root. The last ${repositoriesKept.targets} targets and the ${repositoriesKept.uploads} newest uploads are kept; others are deleted.`}
      actions={<UploadButton />}
      flush
    >
      <Refusals />
      <UploadRows />
      {repositories.length === 0 ? (
        <EmptyState
          icon={<PackageIcon />}
          title="No releases"
          body="Add the root document of your publisher to the trust roots, then upload a repository."
          className="m-4 min-h-36"
        />
      ) : (
        <ul aria-label="Releases" className="divide-y divide-line-faint">
          {repositories.map(({ systemVersion, fileName, timeCreated }) => (
            <li key={systemVersion} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
              <PackageIcon size={16} aria-hidden className="shrink-0 text-tertiary" />
              <span className="mono font-medium">{systemVersion}</span>
              {systemVersion === target && <Badge tone="accent">Target</Badge>}
              <span className="min-w-0 grow truncate text-secondary">
                <DateTime date={timeCreated} /> · <span className="mono">{fileName}</span>
              </span>
              <RowMenu
                label={`${systemVersion} actions`}
                items={[
                  {
                    label: 'Set as target release',
                    disabledReason: lacks('admin') ?? targetReason(systemVersion, { target, isOlder }),
                    onAction: () => confirmTarget(systemVersion),
                  },
                ]}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const confirmTarget = (systemVersion: string): void =>
  confirmAction({
    modalTitle: 'Set target release',
    modalContent: (
      <>
        <p>
          Set <Highlight>{systemVersion}</Highlight> as the target release? The update begins at once. It
          cannot be set back to an older release.
        </p>
        <Plan systemVersion={systemVersion} />
      </>
    ),
    errorTitle: `Error setting target release to ${systemVersion}`,
    actionType: 'primary',
    request: requestTo(targetReleaseUpdate, { body: { systemVersion } }),
    doAction: async () => {
      await Promise.all([reloadReleases(), reloadStatus()])
      addToast({ content: 'Target release updated', variant: 'success' })
    },
  })

/** The steps that the update would take. */
function Plan({ systemVersion }: { systemVersion: string }) {
  const { data, error } = useQuery(planQuery(systemVersion))
  if (error) return null
  if (!data) return <p className="text-secondary">Planning…</p>
  if (data.length === 0) return <p>All components have this release already: nothing would restart.</p>
  const instances = data.reduce((sum, step) => sum + step.instances, 0)
  return (
    <>
      <p>
        This would restart {countOf(data.length, 'part')} of the rack one after another
        {instances > 0 && `, and move ${countOf(instances, 'instance')} to other sleds first`}:
      </p>
      <ol
        aria-label="Steps"
        className="max-h-52 list-decimal overflow-y-auto rounded-md border border-line py-2 pr-3 pl-9"
      >
        {data.map(({ id, kind, serial, components, instances: moved }) => (
          <li key={id} className="py-0.5">
            {kind} <span className="mono">{serial}</span>:{' '}
            {components.map((one) => componentWords(one.component)).join(', ')}
            {moved > 0 && <span className="text-secondary"> · {countOf(moved, 'instance')} to move</span>}
          </li>
        ))}
      </ol>
    </>
  )
}
