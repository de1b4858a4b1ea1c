import { resourceLookUp } from '@purlin/contract/operations/access/access'
import { nounOf } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { UiLink } from '#/ui/button/link.tsx'

/** The subject of a question, unless it is a whole project, silo or the fleet: by name once it is known. */
export function Subject({ resource }: { resource: string }) {
  const [type = '', id = ''] = resource.split(':')
  const { data } = useQuery({
    ...query(resourceLookUp, { params: { resourceId: id } }),
    throwOnError: false,
  })
  return (
    <>
      About the {nounOf(type)}{' '}
      {data ? (
        <UiLink href={paths.lookUp(id)} className="text-accent-text underline underline-offset-2">
          {data.name}
        </UiLink>
      ) : (
        id
      )}
      , from the roles that count now.
    </>
  )
}
