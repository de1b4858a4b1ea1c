import { imageImportDelete, imageImportList } from '@purlin/contract/operations/storage/image-imports'
import { useQuery } from '@tanstack/react-query'
import { invalidate, query } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { RequestButton } from '#/resource/command/RequestButton.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { ProgressBar } from '#/ui/feedback/ProgressBar.tsx'
import { isActive, percentOf, progressText, type Import } from './body.ts'

const pollMs = 2_000

/** The imports of a project. A server without them shows none. */
const importsQuery = (project: string) => ({
  ...query(imageImportList, { query: { project } }),
  throwOnError: false,
  refetchInterval: ({ state: { data } }: { state: { data?: { items: readonly Import[] } | undefined } }) =>
    data?.items.some(isActive) ? pollMs : false,
})

/** The images that are being imported, and those whose import has failed. Nothing without any. */
export function Imports({ project }: { project: string }) {
  const { data } = useQuery(importsQuery(project))
  const items = data?.items ?? []
  if (items.length === 0) return null
  return (
    <section aria-label="Image imports" className="mb-4 rounded-lg border border-line bg-raised">
      <ul className="divide-y divide-line-faint">
        {items.map((one) => (
          <ImportRow key={one.id} one={one} project={project} />
        ))}
      </ul>
    </section>
  )
}

function ImportRow({ one, project }: { one: Import; project: string }) {
  const { lacks } = useRole(project)
  const percent = one.state === 'receiving' ? percentOf(one) : undefined
  const verb = isActive(one) ? 'Cancel' : 'Remove'
  const label = `${verb} import of ${one.name}`
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-2.5">
      <span className="font-[550]">{one.name}</span>
      <span className={`min-w-0 grow wrap-anywhere ${isActive(one) ? 'text-secondary' : 'text-danger'}`}>
        {progressText(one)}
      </span>
      <RequestButton
        size="small"
        disabledReason={lacks('collaborator')}
        aria-label={label}
        of={label}
        request={requestTo(imageImportDelete, { params: { imageImport: one.id }, query: {} })}
        done={() => undefined}
        errorTitle={`Could not ${verb.toLowerCase()} the import`}
        reload={() => invalidate(imageImportList)}
      >
        {verb}
      </RequestButton>
      {percent !== undefined && (
        <div className="w-full">
          <ProgressBar label={`Progress: ${one.name}`} percent={percent} />
        </div>
      )}
    </li>
  )
}
