import { useNavigate } from '@tanstack/react-router'
import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import type { ReactNode } from 'react'
import type { ApiRequest } from '#/api/request.ts'
import { paths } from '#/lib/addresses.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { useSiloAdminReason } from '#/resource/role/useSiloAdminReason.ts'
import { Button } from '#/ui/button/Button.tsx'
import { LinkButton } from '#/ui/button/LinkButton.tsx'
import { TextField } from '#/ui/field/TextField.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { SideModal } from '#/ui/overlay/SideModal.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { isLastProvider, providersChanged, type Provider } from './queries.ts'
import { TestSignIn } from './test/TestSignIn.tsx'

/** The side modal of a provider of any protocol, which leads to its form and deletes it. */
export function ProviderView({
  silo,
  provider,
  failure,
  remove,
  children,
}: {
  silo: string
  provider: Pick<Provider, 'name' | 'protocol'>
  /** Why its metadata could not be read again. */
  failure: string | null | undefined
  remove: ApiRequest
  children: ReactNode
}) {
  const navigate = useNavigate()
  const close = () => navigate({ href: paths.siloTab(silo, 'idps') })
  const refused = useSiloAdminReason(silo)
  const { name } = provider
  return (
    <SideModal
      title="Identity provider"
      resource={{ icon: Fingerprint, name }}
      onDismiss={() => void close()}
      footer={
        <>
          <Button
            variant="danger"
            disabledReason={refused}
            onClick={() => void askToDelete({ silo, name }, { remove, close })}
          >
            Delete
          </Button>
          <TestSignIn silo={silo} provider={name} disabledReason={refused} />
          {refused === undefined && (
            <LinkButton href={paths.identityProviderEdit(silo, provider)}>Edit</LinkButton>
          )}
          <Button onClick={() => void close()}>Close</Button>
        </>
      }
    >
      {failure != null && <Notice title="The metadata could not be read again">{failure}</Notice>}
      {children}
    </SideModal>
  )
}

/** A field that shows its value. */
export const Shown = ({ label, value, copyable }: { label: string; value: string; copyable?: true }) => (
  <TextField
    label={label}
    required
    value={value}
    onChange={() => undefined}
    disabledReason="Edit the provider to change it."
    {...(copyable ? { copyable } : {})}
  />
)

async function askToDelete(
  { silo, name }: { silo: string; name: string },
  { remove, close }: { remove: ApiRequest; close: () => Promise<void> },
): Promise<void> {
  // Without an answer, the question is that of any provider.
  const isLast = await isLastProvider(silo).catch(() => false)
  confirmAction({
    modalTitle: 'Delete identity provider',
    modalContent: (
      <p>
        Users can no longer sign in with <Highlight>{name}</Highlight>. Sessions that have begun stay.
        {isLast && ' It is the only identity provider of the silo: without one, no user can sign in.'}
      </p>
    ),
    errorTitle: 'Could not delete the identity provider',
    actionType: 'danger',
    request: remove,
    doAction: async () => {
      await close()
      await providersChanged()
      addToast({ content: `Identity provider ${name} deleted` })
    },
  })
}
