import { emailReceiverCreate, webhookReceiverCreate } from '@purlin/contract/operations/alerts/receivers'
import { endpointProblem, subscriptionProblem } from '@purlin/contract/rules/alerts/classes'
import { alertLimits } from '@purlin/contract/rules/alerts/limits'
import { keysOf } from '@purlin/contract/rules/keys'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm, useWatch, type Control } from 'react-hook-form'
import { requestTo, sendRequest, type ApiRequest } from '#/api/request.ts'
import { sections } from '#/lib/addresses.ts'
import { linesOf } from '#/lib/input/lines.ts'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { IdentityControls, type Identity } from '#/resource/form/IdentityControls.tsx'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { textRules } from '#/resource/form/textRules.ts'
import { reload, roleFor, roleScope } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { TextAreaControl } from '#/ui/form/TextAreaControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { receiver } from '../kinds.ts'
import { AddressesControl } from './AddressesControl.tsx'
import { MatchedClasses } from './MatchedClasses.tsx'
import { ways, type Way } from './ways.ts'

export const Route = createFileRoute('/_auth/system/alerts/_tabs/_receivers/receivers-new')({
  ...formRoute('New receiver'),
  component: CreateReceiver,
})

interface Filled extends Identity {
  kind: Way
  endpoint: string
  to: string
  secret: string
  subscriptions: string
}
const empty: Filled = {
  name: '',
  description: '',
  kind: 'webhook',
  endpoint: '',
  to: '',
  secret: '',
  subscriptions: 'hardware.**',
}

function requestOf({ kind, endpoint, to, secret, ...filled }: Filled): ApiRequest {
  const base = { ...filled, subscriptions: linesOf(filled.subscriptions) }
  return kind === 'webhook'
    ? requestTo(webhookReceiverCreate, { body: { ...base, endpoint, secrets: [secret] } })
    : requestTo(emailReceiverCreate, { body: { ...base, to: linesOf(to) } })
}

function subscriptionsProblem(text: string): string | undefined {
  const lines = linesOf(text)
  if (lines.length > alertLimits.subscriptions) return `at most ${alertLimits.subscriptions} subscriptions`
  return lines.map(subscriptionProblem).find((problem) => problem !== undefined)
}

function CreateReceiver() {
  const navigate = useNavigate()
  const { lacks } = useRole(...roleScope(receiver, {}))
  const form = useForm<Filled>({ defaultValues: empty })
  const { control } = form
  const kind = useWatch({ control, name: 'kind' })
  const close = () => navigate({ href: sections.alertReceiver.list(), ignoreBlocker: true })
  const role = roleFor(receiver.create)
  return (
    <ResourceForm
      title={`Create ${receiver.noun}`}
      form={form}
      draft={receiver.name}
      onSubmit={async (filled) => {
        await sendRequest(requestOf(filled))
        void reload(receiver)
        showDoneToast('Alert receiver', filled.name, 'created')
        await close()
      }}
      request={requestOf}
      onDismiss={() => void close()}
      submitDisabledReason={role && lacks(role)}
    >
      <IdentityControls kind={receiver} control={control} />
      <RadioGroupControl
        name="kind"
        label="Kind"
        required
        control={control}
        options={keysOf(ways).map((value) => ({ value, ...ways[value] }))}
      />
      {kind === 'webhook' ? (
        <WebhookControls control={control} />
      ) : (
        <AddressesControl name="to" control={control} />
      )}
      <Subscriptions control={control} />
    </ResourceForm>
  )
}

const WebhookControls = ({ control }: { control: Control<Filled> }) => (
  <>
    <TextControl
      name="endpoint"
      label="Endpoint"
      control={control}
      placeholder="https://alerts.example.org/hook"
      {...textRules(webhookReceiverCreate, 'endpoint')}
      validate={(text) => endpointProblem(text)}
    />
    <TextControl
      name="secret"
      label="Secret"
      control={control}
      required
      maxLength={alertLimits.secret}
      hint="The receiver checks with it that a request is from here. It is not shown again."
    />
  </>
)

function Subscriptions({ control }: { control: Control<Filled> }) {
  const text = useWatch({ control, name: 'subscriptions' })
  return (
    <div className="flex flex-col gap-2">
      <TextAreaControl
        name="subscriptions"
        label="Subscriptions"
        control={control}
        hint="One class or glob in each line. * is one part of a class, ** is one or more."
        validate={subscriptionsProblem}
      />
      <MatchedClasses text={text} />
    </div>
  )
}
