import { webhookReceiverCreate } from '@purlin/contract/operations/alerts/receivers'
import { endpointProblem, subscriptionProblem } from '@purlin/contract/rules/alerts/classes'
import { alertLimits } from '@purlin/contract/rules/alerts/limits'
import { createFileRoute } from '@tanstack/react-router'
import { useWatch, type Control } from 'react-hook-form'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import type { Identity } from '#/resource/form/IdentityControls.tsx'
import { textRules } from '#/resource/form/textRules.ts'
import { TextAreaControl } from '#/ui/form/TextAreaControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { receiver } from '../kinds.ts'
import { linesOf, MatchedClasses } from './MatchedClasses.tsx'

export const Route = createFileRoute('/_auth/system/alerts/_tabs/_receivers/receivers-new')({
  ...formRoute('New receiver'),
  component: CreateReceiver,
})

interface Filled extends Identity {
  endpoint: string
  secret: string
  subscriptions: string
}
const empty: Filled = { name: '', description: '', endpoint: '', secret: '', subscriptions: 'hardware.**' }

function subscriptionsProblem(text: string): string | undefined {
  const lines = linesOf(text)
  if (lines.length > alertLimits.subscriptions) return `at most ${alertLimits.subscriptions} subscriptions`
  return lines.map(subscriptionProblem).find((problem) => problem !== undefined)
}

function CreateReceiver() {
  return (
    <CreateForm
      kind={receiver}
      values={empty}
      toBody={({ name, description, endpoint, secret, subscriptions }) => ({
        name,
        description,
        endpoint,
        secrets: [secret],
        subscriptions: linesOf(subscriptions),
      })}
    >
      {({ control }) => (
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
          <Subscriptions control={control} />
        </>
      )}
    </CreateForm>
  )
}

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
