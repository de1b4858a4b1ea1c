import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { loadOrKeep, prefetch, readAnew } from '#/api/query.ts'
import { sections } from '#/lib/addresses.ts'
import { capitalize } from '#/lib/text.ts'
import { useActions, useMenuInPalette } from '#/resource/actions/actions.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { roleScope, viewQuery } from '#/resource/kind.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { ageProperty, descriptionProperty, identityProperties } from '#/ui/value/PropertiesTable.tsx'
import { inLine, Summary } from '#/ui/value/Summary.tsx'
import { alertDocs } from '../docs.ts'
import { isBy, receiver } from '../kinds.ts'
import { receiverActions } from './actions.tsx'
import { Deliveries, deliveriesQuery } from './Deliveries.tsx'
import { Secrets } from './Secrets.tsx'
import { Subscriptions } from './Subscriptions.tsx'
import { placeOf, ways } from './ways.ts'

export const Route = createFileRoute('/_auth/system/alerts/_receiver-pages/receivers/$receiver')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps, cause }) =>
    Promise.all([
      loadOrKeep(cause, viewQuery(receiver, params.receiver)),
      prefetch(deliveriesQuery(params.receiver, deps)),
    ]),
  staticData: {
    crumb: {
      label: (params) => params['receiver'] ?? '',
      to: (params) => sections.alertReceiver.view({ name: params['receiver'] ?? '' }),
    },
  },
  component: ReceiverPage,
})

const { icon: Icon } = receiver

function ReceiverPage() {
  const { receiver: name } = Route.useParams()
  const search = Route.useSearch()
  const navigate = useNavigate()
  const one = useLoaded(viewQuery(receiver, name))
  const leave = async () => {
    await readAnew(receiver.list)
    await navigate({ href: sections.alertReceiver.list() })
  }
  const { menu, dialog } = useActions(receiverActions({ leave }), {}, roleScope(receiver, {}))
  const items = menu(one)
  useMenuInPalette(items)
  return (
    <>
      <PageHeader icon={<Icon />} title={one.name}>
        <DocsPopover topic="alerts" {...alertDocs} icon={<Icon />} />
        <PageMenu label="Receiver actions" items={items} />
      </PageHeader>
      {isBy('email', one) && one.kind.problem !== null && (
        <Notice tone="danger" title="Alerts wait" className="mb-4">
          {capitalize(one.kind.problem)}.
        </Notice>
      )}
      <Summary
        main={[
          { label: 'Kind', value: ways[one.kind.kind].label },
          ageProperty(one.timeCreated),
          {
            label: one.kind.kind === 'webhook' ? 'Endpoint' : 'Addresses',
            isLong: true,
            value: <span className="mono wrap-anywhere whitespace-normal">{placeOf(one)}</span>,
          },
          descriptionProperty(one.description, inLine),
        ]}
        rest={identityProperties(one)}
      />
      <div className="mt-6 flex flex-col gap-6">
        <Subscriptions receiver={one} />
        {isBy('webhook', one) && <Secrets receiver={one} />}
        <Deliveries receiver={one} search={search} />
      </div>
      {dialog}
    </>
  )
}
