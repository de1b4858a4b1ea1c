import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { failure } from '#/api/errors.ts'
import { paths } from '#/lib/addresses.ts'
import { ownQueries } from '#/resource/role/useRole.ts'
import { useSiloAdminReason } from '#/resource/role/useSiloAdminReason.ts'
import { Button } from '#/ui/button/Button.tsx'
import { LinkButton } from '#/ui/button/LinkButton.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { ageProperty, descriptionProperty, identityProperties } from '#/ui/value/PropertiesTable.tsx'
import { inLine, Summary } from '#/ui/value/Summary.tsx'
import { Section } from '../Section.tsx'
import { AccountState, NotPermitted } from './AccountList.tsx'
import { accountHref, accountQuery, type Account, type AccountPlace } from './accounts.ts'
import { Keys } from './Keys.tsx'
import { useAccountMenu } from './useAccountMenu.tsx'

interface Props {
  place: AccountPlace
  name: string
  /** The top of the page, around its buttons. */
  header: (name: string, buttons: ReactNode) => ReactNode
}

/** A service account with its keys. Its roles are on its page as a user, where policies name it. */
export function AccountPage({ place, name, header }: Props) {
  const disabledReason = useSiloAdminReason(place.silo)
  const { data, error, refetch } = useQuery({
    ...accountQuery(place.silo, name),
    enabled: disabledReason === undefined,
  })
  if (disabledReason !== undefined) return <NotPermitted reason={disabledReason} />
  if (error && !data)
    return (
      <div className="flex flex-col items-start gap-3">
        <FormErrorBanner issues={[failure(error)]} />
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    )
  return data ? <Loaded place={place} account={data} header={header} /> : header(name, null)
}

function Loaded({ place, account, header }: Omit<Props, 'name'> & { account: Account }) {
  const navigate = useNavigate()
  const isOwn = useQuery(ownQueries.me()).data?.siloName === place.silo
  const { menu, dialog } = useAccountMenu(place.silo, {
    renamed: (name) => navigate({ href: accountHref(place, name) }),
    deleted: () => navigate({ href: accountHref(place) }),
  })
  const { id, name } = account
  return (
    <>
      {header(
        name,
        <>
          <LinkButton href={isOwn ? paths.user(id) : paths.fleetIdentity(id)}>Roles</LinkButton>
          <PageMenu label="Service account actions" items={menu(account)} />
        </>,
      )}
      <Summary
        main={[
          { label: 'State', value: <AccountState {...account} /> },
          ageProperty(account.timeCreated),
          descriptionProperty(account.description, inLine),
        ]}
        rest={identityProperties(account)}
      />
      <Section title="Keys">
        <Keys silo={place.silo} account={account} isOwn={isOwn} />
      </Section>
      {dialog}
    </>
  )
}
