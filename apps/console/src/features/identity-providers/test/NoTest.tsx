import { useParams } from '@tanstack/react-router'
import { ApiError } from '#/api/send.ts'
import { paths } from '#/lib/addresses.ts'
import { PanelError } from '#/resource/form/PanelError.tsx'

const toList = ({ silo = '' }: { silo?: string | undefined }): string => paths.siloTab(silo, 'idps')

/** The panel of a test that cannot be shown. */
export function NoTest({ error }: { error: unknown }) {
  const { silo } = useParams({ strict: false })
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <PanelError error={error} closeTo={() => toList({ silo })}>
      {isMissing &&
        'The outcome of a test is kept for ten minutes, and shown in the session that has begun the test.'}
    </PanelError>
  )
}
