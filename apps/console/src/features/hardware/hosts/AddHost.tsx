import { hostJoinCodeCreate, hostJoinCodeList } from '@purlin/contract/operations/hardware/hosts'
import { hostLimits } from '@purlin/contract/rules/credentials/hosts'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { CopyModal, CopyText } from '#/ui/overlay/CopyModal.tsx'

/** Makes a code, and shows the command with it once. */
export function AddHost({ onDismiss }: { onDismiss: () => void }) {
  const [code, setCode] = useState<string>()
  if (code !== undefined) return <Command code={code} onDismiss={onDismiss} />
  return <NewCode onCreated={setCode} onDismiss={onDismiss} />
}

interface Values {
  minutes: number
}

function NewCode({ onCreated, onDismiss }: { onCreated: (code: string) => void; onDismiss: () => void }) {
  const form = useForm<Values>({ defaultValues: { minutes: hostLimits.minutes.usual } })
  const request = ({ minutes }: Values) => requestTo(hostJoinCodeCreate, { body: { minutes } })
  const create = async (values: Values) => {
    const { code } = await sendRequest(request(values))
    await invalidate(hostJoinCodeList)
    onCreated(code)
  }
  return (
    <ModalForm
      title="Add host"
      submitLabel="Create code"
      form={form}
      onSubmit={create}
      request={request}
      onDismiss={onDismiss}
    >
      <p>The code lets one process on another machine join as a host. Its sleds then wait to be added.</p>
      <NumberControl
        name="minutes"
        label="Expires after"
        control={form.control}
        required
        integer
        units="minutes"
        min={1}
        max={hostLimits.minutes.most}
      />
    </ModalForm>
  )
}

function Command({ code, onDismiss }: { code: string; onDismiss: () => void }) {
  const command = `npm run host -- --join '${code}'`
  return (
    <CopyModal
      title="Join code created"
      description="Run this command on the other machine. The code is shown only once, and one host can use it."
      what="command"
      text={command}
      onDismiss={onDismiss}
    >
      <CopyText label="Command" text={command} className="w-[min(40rem,80vw)] max-w-full break-all" />
      <p className="text-hint max-w-[40rem]">
        Add <code>--listen</code> with an address and a port that servers reach, and <code>--disks</code> with
        the data folder that servers and hosts share. <code>--simulated 2</code> simulates two sleds instead.
      </p>
    </CopyModal>
  )
}
