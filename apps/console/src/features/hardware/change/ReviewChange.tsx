import {
  networkingSwitchChangePreview,
  networkingSwitchChangeView,
} from '@purlin/contract/operations/networking/switch-changes'
import type { Args } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { errorMessage } from '#/api/errors.ts'
import { invalidate, query } from '#/api/query.ts'
import { sendRequest, type ApiRequest } from '#/api/request.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { NumberControl } from '#/ui/form/NumberControl.tsx'

type Change = Args<typeof networkingSwitchChangePreview>['body']['change']
const { min, max } = limits.confirmWithin

/** The query of a request: without seconds, there is nothing to confirm. */
export interface Within {
  confirmWithin?: number
}

interface Props {
  title: string
  change: Change
  /** Makes the change, which is taken back unless it is confirmed within these seconds. */
  request: (within: Within) => ApiRequest
  onApplied: () => Promise<unknown>
  onDismiss: () => void
}

/** Shows what a change means for each switch, and makes it. */
export function ReviewChange({ title, change, request, onApplied, onDismiss }: Props) {
  const form = useForm({ defaultValues: { seconds: 60 } })
  const preview = useQuery({
    ...query(networkingSwitchChangePreview, { body: { change } }),
    staleTime: 0,
    throwOnError: false,
  })
  const waiting = useQuery({
    ...query(networkingSwitchChangeView, {}),
    staleTime: 0,
    throwOnError: false,
  }).data
  const isWaiting = waiting?.timeRollBack != null
  // It cannot cut anyone off: there is nothing to confirm, unless it would confirm the one before it.
  const isHarmless = preview.data?.switches.every(isUnchanged) === true && waiting !== undefined && !isWaiting
  const requestWith = ({ seconds }: { seconds: number }) =>
    request(isHarmless ? {} : { confirmWithin: seconds })
  const save = async ({ seconds }: { seconds: number }) => {
    await sendRequest(requestWith({ seconds }))
    await onApplied()
    await invalidate(networkingSwitchChangeView)
    onDismiss()
  }
  return (
    <ModalForm
      title={title}
      submitLabel="Apply"
      form={form}
      onSubmit={save}
      request={requestWith}
      onDismiss={onDismiss}
      submitDisabledReason={preview.data ? undefined : 'The change cannot be shown yet'}
    >
      {preview.error ? (
        <div role="alert">
          <Notice tone="danger" title="This change is not possible">
            {errorMessage(preview.error)}
          </Notice>
        </div>
      ) : null}
      {preview.isPending && <Skeleton className="h-2.5 w-40" />}
      {preview.data && <Difference switches={preview.data.switches} />}
      {isWaiting && (
        <Notice title="An earlier change has not been kept yet">
          Both are kept or taken back together. The time to keep them begins again with this one.
        </Notice>
      )}
      {preview.data && !isHarmless && (
        <NumberControl
          name="seconds"
          label="Seconds to confirm"
          control={form.control}
          required
          min={min}
          max={max}
          hint="Unless you keep the change within this time, it is taken back."
        />
      )}
    </ModalForm>
  )
}

interface OfSwitch {
  switchId: string
  switchLocation: string
  added: string[]
  removed: string[]
}

const isUnchanged = ({ added, removed }: OfSwitch): boolean => added.length + removed.length === 0

function Difference({ switches }: { switches: readonly OfSwitch[] }) {
  if (switches.every(isUnchanged)) return <p className="text-secondary">Nothing changes on the switches.</p>
  return switches.map(({ switchId, switchLocation, added, removed }) => (
    <section key={switchId} aria-label={switchLocation}>
      <h3 className="mb-1 font-medium">{switchLocation}</h3>
      <ul className="mono max-h-56 overflow-y-auto rounded-md border border-line px-3 py-2 wrap-anywhere">
        {removed.map((line) => (
          <li key={`- ${line}`} className="text-danger">
            − {line}
          </li>
        ))}
        {added.map((line) => (
          <li key={`+ ${line}`} className="text-ok">
            + {line}
          </li>
        ))}
      </ul>
    </section>
  ))
}
