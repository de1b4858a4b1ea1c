import {
  networkingAllowListPreview,
  networkingAllowListUpdate,
  networkingAllowListView,
} from '@purlin/contract/operations/networking/edge'
import { currentUserView } from '@purlin/contract/operations/access/sessions'
import { userSessionList } from '@purlin/contract/operations/access/users'
import type { Args, Result } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { invalidate, query } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { send } from '#/api/send.ts'
import { linesOf } from '#/lib/input/lines.ts'
import { validateIpNet, validateIpWithoutZone } from '#/lib/input/ip.ts'
import { LoadToEdit, type Fresh } from '#/resource/form/fresh/LoadToEdit.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { TextAreaControl } from '#/ui/form/TextAreaControl.tsx'
import { listQuery } from './queries.ts'

type List = Result<typeof networkingAllowListView>
type Change = Args<typeof networkingAllowListUpdate>['body']
type Difference = Result<typeof networkingAllowListPreview>

interface Props {
  onDismiss: () => void
}

/** Asks for the list, shows what it changes, and applies it. */
export const ChangeSources = ({ onDismiss }: Props) => (
  <LoadToEdit title="Change allowed sources" read={listQuery} onDismiss={onDismiss}>
    {(list) => <ChangeList list={list} onDismiss={onDismiss} />}
  </LoadToEdit>
)

function ChangeList({ list, onDismiss }: Props & { list: Fresh<List> }) {
  const [reviewed, setReviewed] = useState<{ change: Change; difference: Difference }>()
  const [entered, setEntered] = useState<Change>({ allowedIps: list.allowedIps })
  if (reviewed) return <Apply {...reviewed} onBack={() => setReviewed(undefined)} onDismiss={onDismiss} />
  const review = async (change: Change) => {
    setEntered(change)
    setReviewed({ change, difference: await send(networkingAllowListPreview, { body: change }) })
  }
  return <EnterList entered={entered} onReview={review} onDismiss={onDismiss} />
}

/** An address by itself is the network that has only this address. */
const netOf = (text: string): string => {
  const isAddress = !text.includes('/') && validateIpWithoutZone(text) === undefined
  return isAddress ? `${text}/${text.includes(':') ? 128 : 32}` : text
}

function networksProblem(text: string): string | undefined {
  for (const line of linesOf(text)) {
    const problem = validateIpNet(netOf(line))
    if (problem !== undefined) return `${line}: ${problem}`
  }
  return undefined
}

interface Filled {
  allow: string
  networks: string
}

const changeOf = ({ allow, networks }: Filled): Change => ({
  allowedIps: allow === 'any' ? { allow } : { allow: 'list', ips: linesOf(networks).map(netOf) },
})

interface EnterProps {
  entered: Change
  onReview: (change: Change) => Promise<void>
  onDismiss: () => void
}

function EnterList({ entered: { allowedIps }, onReview, onDismiss }: EnterProps) {
  const form = useForm<Filled>({
    defaultValues: {
      allow: allowedIps.allow,
      networks: allowedIps.allow === 'list' ? allowedIps.ips.join('\n') : '',
    },
  })
  const allow = useWatch({ control: form.control, name: 'allow' })
  const own = useOwnAddress()
  return (
    <ModalForm
      title="Change allowed sources"
      submitLabel="Review"
      form={form}
      onSubmit={(filled) => onReview(changeOf(filled))}
      request={(filled) => requestTo(networkingAllowListUpdate, { query: {}, body: changeOf(filled) })}
      draft={{ form: 'allowedSources', isChange: true }}
      onDismiss={onDismiss}
    >
      <RadioGroupControl
        name="allow"
        label="Allow"
        required
        control={form.control}
        options={[
          { value: 'any', label: 'Any address' },
          { value: 'list', label: 'Only these networks' },
        ]}
      />
      {allow === 'list' && (
        <TextAreaControl
          name="networks"
          label="Networks"
          control={form.control}
          required
          placeholder={'192.0.2.0/24\n2001:db8::/32'}
          hint={`One network or address in each line, at most ${limits.allowList.toLocaleString()}. Your own address${own ? `, ${own},` : ''} must be in one of them.`}
          validate={networksProblem}
        />
      )}
    </ModalForm>
  )
}

/** The address that this browser signed in from; undefined if it is not known. */
function useOwnAddress(): string | undefined {
  const quietly = { throwOnError: false } as const
  const me = useQuery({ ...query(currentUserView, { query: {} }), ...quietly }).data?.id
  const sessions = useQuery({
    ...query(userSessionList, { params: { userId: me ?? '' }, query: { limit: 100 } }),
    ...quietly,
    enabled: me !== undefined,
  })
  return sessions.data?.items.find(({ current }) => current)?.address ?? undefined
}

const { min, max } = limits.confirmWithin
interface ApplyProps {
  change: Change
  difference: Difference
  onBack: () => void
  onDismiss: () => void
}

function Apply({ change, difference, onBack, onDismiss }: ApplyProps) {
  const form = useForm({ defaultValues: { seconds: 60 } })
  const isSame = difference.added.length + difference.removed.length === 0
  const request = ({ seconds }: { seconds: number }) =>
    requestTo(networkingAllowListUpdate, { query: { confirmWithin: seconds }, body: change })
  const apply = async (filled: { seconds: number }) => {
    await sendRequest(request(filled))
    await invalidate(networkingAllowListView)
    addToast({ content: 'Allowed sources changed' })
    onDismiss()
  }
  return (
    <ModalForm
      title="Apply this list?"
      submitLabel="Apply"
      form={form}
      onSubmit={apply}
      request={request}
      onDismiss={onBack}
      submitDisabledReason={isSame ? 'The list is the same as before' : undefined}
    >
      <Networks title="Allowed from now on" networks={difference.added} />
      <Networks title="No longer allowed" networks={difference.removed} />
      <NumberControl
        name="seconds"
        label="Seconds to confirm"
        required
        control={form.control}
        min={min}
        max={max}
        hint="Unless you keep the list within this time, the former one comes back."
      />
    </ModalForm>
  )
}

function Networks({ title, networks }: { title: string; networks: readonly string[] }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 font-medium">{title}</h3>
      {networks.length === 0 ? (
        <p className="text-secondary">No networks</p>
      ) : (
        <ul className="mono max-h-48 overflow-y-auto rounded-md border border-line px-3 py-2">
          {networks.map((network) => (
            <li key={network}>{network}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
