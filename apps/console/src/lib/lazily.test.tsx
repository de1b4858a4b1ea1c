import { renderToStaticMarkup } from 'react-dom/server'
import { prerender } from 'react-dom/static'
import { describe, expect, it, vi } from 'vitest'
import { lazily, onDemand } from './lazily.tsx'

const Greeting = ({ name }: { name: string }) => <b>{`Hello ${name}`}</b>

/** Fetches the greeting; the first attempt fails. */
const failingOnce = () => vi.fn(() => Promise.resolve({ Greeting })).mockRejectedValueOnce(new Error('lost'))

describe('a component that is fetched on demand', () => {
  it('renders nothing until its file is there', async () => {
    const { Component, load } = onDemand(() => Promise.resolve({ Greeting }), 'Greeting')
    expect(renderToStaticMarkup(<Component name="Ada" />)).toBe('')
    await load()
    expect(renderToStaticMarkup(<Component name="Ada" />)).toBe('<b>Hello Ada</b>')
  })

  it('is fetched again after a failure, and once after a success', async () => {
    const fetchFile = failingOnce()
    const { load } = onDemand(fetchFile, 'Greeting')
    await expect(load()).rejects.toThrow('lost')
    await load()
    await load()
    expect(fetchFile).toHaveBeenCalledTimes(2)
  })
})

describe('a component that is loaded when it is rendered', () => {
  it('is loaded again when it is mounted again after a failure', async () => {
    const Lazy = lazily(failingOnce(), 'Greeting')
    const html = async () => {
      const { prelude } = await prerender(<Lazy name="Ada" />, { onError: () => undefined })
      return new Response(prelude).text()
    }
    expect(await html()).not.toContain('Hello')
    expect(await html()).toContain('Hello Ada')
  })
})
