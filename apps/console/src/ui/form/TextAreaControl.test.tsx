import { renderToStaticMarkup } from 'react-dom/server'
import { createFormControl } from 'react-hook-form'
import { expect, it } from 'vitest'
import { TextAreaControl } from './TextAreaControl.tsx'
import { TextControl } from './TextControl.tsx'

it.each([TextControl, TextAreaControl])('a text is no longer than its maximum', async (Control) => {
  const form = createFormControl({ defaultValues: { text: 'abcdef' } })
  const { trigger, getFieldState, setValue } = form
  renderToStaticMarkup(
    <Control
      name="text"
      control={form.control}
      maxLength={5}
      validate={(text) => (text === 'abc' ? 'Too simple' : undefined)}
    />,
  )
  await trigger('text')
  expect(getFieldState('text').error?.message).toBe('Must be 5 characters or fewer')
  setValue('text', 'abc')
  await trigger('text')
  expect(getFieldState('text').error?.message).toBe('Too simple')
})
