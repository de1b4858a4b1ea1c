import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import CircleHelp from 'lucide-react/icons/circle-help'
import { addressesOf, asResource, hereOf, type Place } from '#/features/access/place.ts'
import { ownQueries } from '#/resource/role/useRole.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { UiLink } from '#/ui/button/link.tsx'
import { Decision } from './Decision.tsx'
import { HoldersTable } from './HoldersTable.tsx'
import { decisionQuery, operationsQuery } from './queries.ts'
import { QuestionForm } from './QuestionForm.tsx'
import { questionSearch } from './search.ts'
import { Subject } from './Subject.tsx'

/** Lists the users with a permission here, or explains the permission of one user. The address has the question. */
export function WhoCan({ place }: { place: Place }) {
  const search = questionSearch(useSearch({ strict: false }))
  const ownSilo = useQuery(ownQueries.me()).data?.siloName
  const { data, error } = useQuery(operationsQuery())
  const operations = data
    ?.filter(({ levels }) => levels.includes(place.level))
    .toSorted((a, b) => a.summary.localeCompare(b.summary))
  const { operation = '', person = '' } = search
  const resource = search.resource ?? asResource(place, ownSilo)
  const isReady = operation !== '' && ownSilo !== undefined
  const decision = useQuery({
    ...decisionQuery(person, operation, resource),
    enabled: isReady && person !== '',
  })
  const about = data?.find((one) => one.operation === operation)
  const who = decision.data && {
    id: decision.data.identityId,
    displayName: decision.data.displayName,
    identityType: decision.data.identityType,
  }
  return (
    <>
      <PageHeader icon={<CircleHelp />} title="Who can do what" />
      <p className="mb-4 text-secondary">
        {search.resource ? (
          <Subject resource={search.resource} />
        ) : (
          <>
            About{' '}
            <UiLink href={addressesOf(place).list} className="text-accent-text underline underline-offset-2">
              {hereOf(place)}
            </UiLink>
            , from the roles that count now.
          </>
        )}
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 frame:grid-cols-[17rem_minmax(0,1fr)] roomy:grid-cols-[20rem_minmax(0,1fr)]">
        <QuestionForm place={place} search={search} operations={{ data: operations, error }} question={who} />
        {!isReady ? (
          <EmptyState
            icon={<CircleHelp />}
            title="Nothing asked yet"
            body="Choose what to do to see who can, and where each role comes from."
          />
        ) : person === '' ? (
          <HoldersTable
            place={place}
            about={about}
            question={{ operation, resource, page: search.page }}
            pageHref={(page) => ({ ...search, page })}
          />
        ) : (
          <Decision about={about} answer={decision.data} error={decision.error} />
        )}
      </div>
    </>
  )
}
