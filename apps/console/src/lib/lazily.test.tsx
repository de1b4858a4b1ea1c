import { prerender } from 'react-dom/static'
import { expect, it, vi } from 'vitest'
import { lazily } from './lazily.tsx'

const Greeting = ({ name }: { name: string }) => <b>{`Hello ${name}`}</b>

it('a component is loaded again when it is mounted again after a failure, and once after a success', async () => {
  const load = vi.fn(() => Promise.resolve({ Greeting })).mockRejectedValueOnce(new Error('lost'))
  const Lazy = lazily(load, 'Greeting')
  const html = async () => {
    const { prelude } = await prerender(<Lazy name="Ada" />, { onError: () => undefined })
    return new Response(prelude).text()
  }
  expect(await html()).not.toContain('Hello')
  expect(await html()).toContain('Hello Ada')
  expect(await html()).toContain('Hello Ada')
  expect(load).toHaveBeenCalledTimes(2)
})
