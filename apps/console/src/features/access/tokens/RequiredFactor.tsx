import { authSettingsUpdate, authSettingsView } from '@purlin/contract/operations/access/access-tokens'
import { invalidate } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { useLocalSilo } from '#/resource/role/useLocalSilo.ts'
import { Button } from '#/ui/button/Button.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { Card } from '#/ui/layout/Card.tsx'

interface RequiredFactorProps {
  isRequired: boolean
  /** The other setting, which an update has to repeat. */
  most: number | null
  disabledReason: string | undefined
}

/** Whether users need a second factor to sign in; only of a silo with local users. */
export function RequiredFactor({ isRequired, most, disabledReason }: RequiredFactorProps) {
  const { silo } = useLocalSilo()
  if (silo === undefined) return null
  const change = () =>
    confirmAction({
      request: requestTo(authSettingsUpdate, {
        body: { deviceTokenMaxTtlSeconds: most, secondFactorRequired: !isRequired },
      }),
      doAction: async () => {
        await invalidate(authSettingsView)
        addToast({ content: isRequired ? 'Second factor no longer required' : 'Second factor required' })
      },
      modalTitle: isRequired ? 'Stop requiring a second factor' : 'Require a second factor',
      modalContent: isRequired ? (
        <p>
          Users without a second factor sign in with their password alone. Factors that they have still count.
        </p>
      ) : (
        <p>
          Users without a second factor, including you, add one at their next sign-in. Sessions and access
          tokens are not affected.
        </p>
      ),
      errorTitle: 'Could not change the setting',
      actionType: isRequired ? 'danger' : 'primary',
    })
  return (
    <Card
      title="Second factor"
      description="An app with codes or a passkey, in addition to the password."
      actions={
        <Button onClick={change} disabledReason={disabledReason}>
          {isRequired ? 'Stop requiring' : 'Require'}
        </Button>
      }
    >
      <p>{isRequired ? 'Required: every user needs one to sign in.' : 'Optional: users may add one.'}</p>
    </Card>
  )
}
