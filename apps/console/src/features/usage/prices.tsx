import {
  projectUsageReport,
  systemUsageReport,
  usagePricesUpdate,
  usagePricesView,
  usageReport,
} from '@purlin/contract/operations/metrics/usage'
import { usageLimits } from '@purlin/contract/rules/usage/reports'
import { currencyProblem, pricedAmounts, priceProblem } from '@purlin/contract/rules/usage/prices'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import Receipt from 'lucide-react/icons/receipt-text'
import { useForm } from 'react-hook-form'
import { invalidate, loadToEdit, query } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { fresh, formRoute } from '#/resource/address/routeOptions.tsx'
import { useGuardedUpdate } from '#/resource/form/guardedUpdate.tsx'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { roleFor } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { pricesOf, toBody, type Prices } from './priceValues.ts'

export const Route = createFileRoute('/_auth/system/usage/prices')({
  ...formRoute('Edit prices'),
  ...fresh,
  loader: ({ cause }) => loadToEdit(cause, query(usagePricesView, {})),
  component: EditPrices,
})

const labels = {
  cpuHour: 'vCPU hour',
  memoryGibHour: 'Memory, GiB hour',
  storageGibHour: 'Storage, GiB hour',
  addressHour: 'Address hour',
} as const

/** The prices that reports of use multiply with. */
function EditPrices() {
  const row = useLoaded(query(usagePricesView, {}))
  const form = useForm<Prices>({ defaultValues: pricesOf(row) })
  const navigate = useNavigate()
  const { lacks } = useRole(undefined, 'fleet')
  const target = { view: usagePricesView, update: usagePricesUpdate, args: {} }
  const { save, request, notice } = useGuardedUpdate(target, { form, row, valuesOf: pricesOf })
  const close = () => navigate({ href: paths.systemUsage, ignoreBlocker: true })
  const submit = async (prices: Prices) => {
    await save(toBody(prices))
    void invalidate(usagePricesView, usageReport, projectUsageReport, systemUsageReport)
    showDoneToast('Prices of', 'the fleet', 'updated')
    await close()
  }
  return (
    <ResourceForm
      title="Edit prices"
      submitLabel="Update prices"
      form={form}
      resource={{ icon: Receipt, name: 'Fleet' }}
      draft={{ form: 'usagePrices', isChange: true }}
      onSubmit={submit}
      request={(prices) => request(toBody(prices))}
      onDismiss={() => void close()}
      submitDisabledReason={lacks(roleFor(usagePricesUpdate) ?? 'admin')}
    >
      {notice}
      <TextControl
        name="currency"
        control={form.control}
        maxLength={usageLimits.currency}
        hint="Such as EUR. Leave all fields blank for no prices."
        validate={(text) => (text === '' ? undefined : currencyProblem(text))}
      />
      {pricedAmounts.map((amount) => (
        <TextControl
          key={amount}
          name={amount}
          label={labels[amount]}
          control={form.control}
          mono
          hint={amount === 'cpuHour' ? 'Up to six decimal places. Blank costs nothing.' : undefined}
          validate={(text, { currency }) => {
            if (text === '') return undefined
            return currency === '' ? 'Enter the currency first.' : priceProblem(text)
          }}
        />
      ))}
    </ResourceForm>
  )
}
