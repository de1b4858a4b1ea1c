import { GiB } from '@purlin/contract/rules/limits'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { CapacityBar } from './CapacityBar.tsx'

const TiB = 1024 * GiB

it.each([
  [2 * GiB, 100 * GiB, '2% Provisioned 2 GiB Capacity 100 GiB'],
  [10 * GiB, 512 * TiB, '< 0.1% Provisioned 10 GiB Capacity 512 TiB'],
  [0, 0.1 * TiB, '0% Provisioned 0 B Capacity 102.4 GiB'],
  [0, 0, 'no quota Provisioned 0 B Capacity 0 B'],
])('%i of %i bytes read: %s', (used, total, words) => {
  const bar = <CapacityBar title="Storage" unit="bytes" used={used} total={total} none="no quota" />
  const shown = renderToStaticMarkup(bar).replaceAll(/<\/(?:div|dt|dd)>/g, ' ')
  const text = shown.replaceAll(/<[^>]*>/g, '').replaceAll('&lt;', '<')
  expect(text.replaceAll(/\s+/g, ' ').trim()).toBe(`Storage${words}`)
})
