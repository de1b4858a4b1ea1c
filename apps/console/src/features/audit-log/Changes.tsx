import { resourceActivity } from '@purlin/contract/operations/audit/audit-log'
import { sentenceOf } from '@purlin/contract/rules/audit/deeds'
import { isUuid } from '@purlin/contract/rules/names'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { errorMessage } from '#/api/errors.ts'
import { query, type Read } from '#/api/query.ts'
import { shortId } from '#/lib/text.ts'
import { anywhere } from '#/resource/address/pageOf.ts'
import { LinesCard } from '#/ui/layout/LinesCard.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { TimedLine } from '#/ui/layout/TimedLine.tsx'
import { actorWords, type Done, type Touched } from './entries.tsx'

const few = 8

/** The last changes of a resource, such as `project:ID`. Requests that were refused have changed nothing. */
export const changesQuery = (resource: string) => ({
  ...query(resourceActivity, { query: { resource, limit: few, result: 'success' as const } }),
  throwOnError: false,
})

/** The last changes as sentences, the newest first. */
export function Changes({
  of,
  footer,
  none = 'Nothing was changed since the audit log began.',
}: {
  of: Read<{ items: Done[]; nextPage?: string | null | undefined }>
  footer: ReactNode
  none?: string
}) {
  const { data, error } = useQuery({ ...of, throwOnError: false })
  return (
    <LinesCard
      title="Last changes"
      items={data?.items}
      keyOf={({ id }) => id}
      line={(done) => <Sentence done={done} />}
      // A page looks through a limited number of entries.
      none={data?.nextPage ? 'None of the newest entries of the audit log is a change.' : none}
      error={error && !data ? `Could not load the changes: ${errorMessage(error)}` : undefined}
      footer={footer}
    />
  )
}

/** `hanna-okafor created disk data`, and when. */
function Sentence({ done }: { done: Done }) {
  const { before, object, name = '', after, more } = sentenceOf(done)
  return (
    <TimedLine date={done.timeCompleted} caption="Completed">
      {actorWords(done)} {before}
      {object && (
        <>
          {' '}
          <ObjectName object={object} name={name} />
        </>
      )}
      {after && <span className="text-secondary wrap-anywhere"> {after}</span>}
      {more > 0 && <span className="text-secondary"> and {more} more</span>}
    </TimedLine>
  )
}

function ObjectName({ object, name: own }: { object: Touched; name: string }) {
  const { type, id, nameAfter } = object
  const href = nameAfter === null ? undefined : anywhere({ type, id, name: nameAfter })
  // Of what has no name.
  const name = <span className="font-medium">{isUuid(own) ? shortId(own) : own}</span>
  return href === undefined ? name : <TextLink href={href}>{name}</TextLink>
}
