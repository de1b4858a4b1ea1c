import { imageImportDelete, imageImportList } from '@purlin/contract/operations/storage/image-imports'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#/api/errors.ts'
import { invalidate, query, useApi } from '#/api/query.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { ProgressBar } from '#/ui/feedback/ProgressBar.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
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
  const { mutate, isPending } = useApi(imageImportDelete, {
    success: () => invalidate(imageImportList),
    error: (error) => addToast({ content: errorMessage(error), variant: 'error' }),
  })
  const percent = one.state === 'receiving' ? percentOf(one) : undefined
  const remove = () => mutate({ params: { imageImport: one.id }, query: {} })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-2.5">
      <span className="font-[550]">{one.name}</span>
      <span className={`min-w-0 grow wrap-anywhere ${isActive(one) ? 'text-secondary' : 'text-danger'}`}>
        {progressText(one)}
      </span>
      <Button
        size="small"
        pending={isPending}
        disabledReason={lacks('collaborator')}
        aria-label={`${isActive(one) ? 'Cancel' : 'Remove'} import of ${one.name}`}
        onClick={remove}
      >
        {isActive(one) ? 'Cancel' : 'Remove'}
      </Button>
      {percent !== undefined && (
        <div className="w-full">
          <ProgressBar label={`Progress: ${one.name}`} percent={percent} />
        </div>
      )}
    </li>
  )
}
