import { useState } from 'react'
import { useController, useWatch, type UseFormReturn } from 'react-hook-form'
import { transitIpsOf } from './nic.ts'
import { guides } from '#/lib/addresses.ts'
import { pasteLines, unlistedProblem } from '#/lib/input/entries.ts'
import { MiniTable, MiniTableButtons } from '#/ui/field/MiniTable.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { ExternalLink } from '#/ui/button/link.tsx'

/** An interface that exists, as its form holds it. */
export interface EditNicValues {
  name: string
  description: string
  transitIps: string[]
  /** Typed, but not in the list yet. */
  transitIp: string
}

/** Networks for which an interface passes traffic on: typed one by one, listed below. */
export function TransitIps({ form }: { form: UseFormReturn<EditNicValues> }) {
  const { control } = form
  const { field } = useController({ control, name: 'transitIps' })
  const [isChecked, setChecked] = useState(false)
  const say = (text: string): string[] | undefined => {
    const nets = transitIpsOf(text, field.value)
    const isListed = text.trim() !== '' && nets.length === field.value.length
    const message = typeof nets === 'string' ? nets : isListed && 'Transit IP already in list'
    if (message) form.setError('transitIp', { message })
    else form.clearErrors('transitIp')
    return typeof nets === 'string' || isListed ? undefined : nets
  }
  const clear = () => {
    form.setValue('transitIp', '')
    form.clearErrors('transitIp')
    setChecked(false)
  }
  const add = () => {
    const nets = say(form.getValues('transitIp'))
    if (!nets) return setChecked(true)
    field.onChange(nets)
    clear()
  }
  const isEmpty = useWatch({ control, name: 'transitIp' }).trim() === ''
  return (
    <div className="flex flex-col gap-2.5">
      <TextControl
        name="transitIp"
        control={control}
        label="Transit IPs"
        mono
        onEnter={add}
        placeholder="Enter an IP network"
        hint={
          <>
            An IP network, like 192.168.0.0/16.{' '}
            <ExternalLink href={guides.transitIps.href}>Read about transit IPs</ExternalLink>
          </>
        }
        onPaste={pasteLines}
        onValue={(text) => isChecked && say(text)}
        validate={(text) => unlistedProblem(transitIpsOf(text, field.value), field.value, 'this network')}
      />
      <MiniTableButtons addLabel="Add transit IP" isEmpty={isEmpty} onAdd={add} onClear={clear} />
      <MiniTable
        label="Transit IPs"
        columns={[{ header: 'Transit IPs', cell: (ip) => ip }]}
        rows={field.value}
        rowKey={(ip) => ip}
        onRemove={(ip) => field.onChange(field.value.filter((other) => other !== ip))}
        removeLabel={(ip) => `remove IP ${ip}`}
      />
    </div>
  )
}
