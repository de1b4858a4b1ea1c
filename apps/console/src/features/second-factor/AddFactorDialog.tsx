import {
  currentUserSecondFactorBegin,
  currentUserSecondFactorConfirm,
} from '@purlin/contract/operations/access/second-factors'
import type { FactorType } from '@purlin/contract/rules/credentials/second-factors'
import { send } from '#/api/send.ts'
import { AddFactor } from '#/shell/second-factor/AddFactor.tsx'
import { Modal, ModalSection } from '#/ui/overlay/Modal.tsx'

const titles: Record<FactorType, string> = { totp: 'Add app', passkey: 'Add passkey' }

interface AddFactorDialogProps {
  type: FactorType
  /** Called with the recovery codes that were made. */
  onAdded: (codes: readonly string[]) => Promise<void>
  onDismiss: () => void
}

/** Adds a second factor of the signed-in user. */
export function AddFactorDialog({ type, onAdded, onDismiss }: AddFactorDialogProps) {
  return (
    <Modal title={titles[type]} onDismiss={onDismiss}>
      <ModalSection className="text-ink">
        <AddFactor
          type={type}
          begin={(chosen) => send(currentUserSecondFactorBegin, { body: { type: chosen } })}
          confirm={async (body) => onAdded((await send(currentUserSecondFactorConfirm, { body })).codes)}
        />
      </ModalSection>
    </Modal>
  )
}
