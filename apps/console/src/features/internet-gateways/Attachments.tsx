/** The attachments of an internet gateway: listed, attached and detached in its panel. */
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { failure } from '#/api/errors.ts'
import type { Read } from '#/api/query.ts'
import { PoolName } from '#/features/ip-pools/PoolName.tsx'
import type { VpcTarget } from '#/lib/addresses.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Address } from '#/ui/value/Address.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { lazily } from '#/lib/lazily.tsx'
import { descriptionProperty, PropertiesTable, type Property } from '#/ui/value/PropertiesTable.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { askToDetachAddress, askToDetachPool } from './detach.tsx'
import {
  attachedAddresses,
  attachedPools,
  type AttachedAddress,
  type AttachedPool,
  type Gateway,
} from './queries.ts'

const AttachPoolDialog = lazily(() => import('./AttachPoolDialog.tsx'), 'AttachPoolDialog')
const AttachAddressDialog = lazily(() => import('./AttachAddressDialog.tsx'), 'AttachAddressDialog')

interface Of {
  gateway: Gateway
  scope: VpcTarget
}

/** The addresses that packets leave with. */
export const AttachedAddresses = ({ gateway, scope }: Of) => (
  <Attachments
    title="Internet gateway IP addresses"
    attach="Attach IP address"
    none="No address is attached: packets leave with an address of an attached pool. An address attached here is used instead."
    read={attachedAddresses(gateway.id)}
    project={scope.project}
    property={({ address }) => ({ label: 'IP Address', value: <Address ip={address} /> })}
    onDetach={(row) => void askToDetachAddress(row, scope)}
    dialog={(taken: readonly AttachedAddress[], close) => (
      <AttachAddressDialog gateway={gateway.id} taken={taken} onDismiss={close} />
    )}
  />
)

/** The pools that the addresses of instances may be from. */
export const AttachedPools = ({ gateway, scope }: Of) => (
  <Attachments
    title="Internet gateway IP pools"
    attach="Attach IP pool"
    none="No IP pool is attached: nothing gets out through this gateway without an address."
    read={attachedPools(gateway.id)}
    project={scope.project}
    property={({ ipPoolId }) => ({ label: 'IP Pool Name', value: <PoolName id={ipPoolId} /> })}
    onDetach={(row) => void askToDetachPool(row, scope)}
    dialog={(taken: readonly AttachedPool[], close) => (
      <AttachPoolDialog gateway={gateway.id} taken={taken} onDismiss={close} />
    )}
  />
)

interface Attached {
  id: string
  name: string
  description: string
}
interface AttachmentsProps<T> {
  title: string
  /** The label of the button that attaches one more. */
  attach: string
  /** Shown if there is nothing. */
  none: string
  read: Read<T[]>
  project: string
  property: (row: T) => Property
  onDetach: (row: T) => void
  dialog: (taken: readonly T[], close: () => void) => ReactNode
}

function Attachments<T extends Attached>(props: AttachmentsProps<T>) {
  const { title, attach, none, read, project, property, onDetach, dialog } = props
  const [isAttaching, setAttaching] = useState(false)
  const { data, error, isPending } = useQuery({ ...read, throwOnError: false })
  const lacked = useRole(project).lacks('collaborator')
  return (
    <section className="flex flex-col gap-2">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold">{title}</h3>
        <Button size="small" disabledReason={lacked} onClick={() => setAttaching(true)}>
          {attach}
        </Button>
      </header>
      {isPending && <Skeleton className="h-2.5 w-40" />}
      {error && <FormErrorBanner issues={[failure(error)]} />}
      {data?.length === 0 && <p className="text-secondary">{none}</p>}
      {data?.map((row) => (
        <div key={row.id} className="flex flex-col items-end gap-1.5">
          <div className="w-full">
            <PropertiesTable
              columns={1}
              properties={[
                { label: 'Name', value: row.name },
                descriptionProperty(row.description),
                property(row),
              ]}
            />
          </div>
          <Button size="small" disabledReason={lacked} onClick={() => onDetach(row)}>
            Detach {row.name}
          </Button>
        </div>
      ))}
      {isAttaching && dialog(data ?? [], () => setAttaching(false))}
    </section>
  )
}
