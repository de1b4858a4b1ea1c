import { createFormControl } from 'react-hook-form'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { control } from './control.tsx'
import { readText } from './useField.ts'

interface Shown {
  label: string
  required?: boolean
  name?: string
  hint?: string
  value: string
  onChange: (value: string) => void
}
const Field = vi.fn(({ label, required, name, hint, value }: Shown) =>
  [label, name, value, hint, required ? 'required' : 'optional'].join('|'),
)
const Control = control(Field, readText)
interface Values {
  bootDisk: unknown
}

function shown(value: unknown, props: Partial<Parameters<typeof Control<Values>>[0]> = {}) {
  const { trigger, getFieldState, getValues, ...form } = createFormControl<Values>({
    defaultValues: { bootDisk: value },
  })
  const markup = renderToStaticMarkup(<Control name="bootDisk" control={form.control} hint="h" {...props} />)
  const complaint = async () => {
    await trigger('bootDisk')
    return getFieldState('bootDisk').error?.message
  }
  return { markup, complaint, getValues }
}

it('a control shows the value of its form, a label made from the name, and the other props of its field', () => {
  expect(shown('web').markup).toBe('Boot disk|bootDisk|web|h|optional')
  expect(shown(7, { label: 'Disk', required: true }).markup).toBe('Disk|bootDisk||h|required')
})

it('a control checks that a required value is there before its own rule', async () => {
  const props = { required: true, validate: (text: string) => `not ${text}` }
  expect(await shown('', props).complaint()).toBe('Boot disk is required')
  expect(await shown('web', props).complaint()).toBe('not web')
  expect(await shown('web').complaint()).toBeUndefined()
})

it('a control whose own rule refuses an empty value is not optional, and gives that message', async () => {
  const { markup, complaint } = shown('', { refusesEmpty: true, validate: () => 'Choose one' })
  expect(markup).toContain('|required')
  expect(await complaint()).toBe('Choose one')
})

it('a control passes changes to its form first, then to onValue', () => {
  const seen: unknown[] = []
  const { getValues } = shown('', { onValue: (text: string) => seen.push(text, getValues('bootDisk')) })
  Field.mock.lastCall?.[0].onChange('db')
  expect(seen).toEqual(['db', 'db'])
})
