import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { NetworkMode } from './NetworkMode.tsx'

it('an instance whose host does not enforce its networks says so, and no other', () => {
  const shown = (mode: Parameters<typeof NetworkMode>[0]['mode']) =>
    renderToStaticMarkup(<NetworkMode mode={mode} />)
  expect(shown('outbound')).toMatch(/are not in force.*reaches the outside.*network helper/)
  expect(shown('none')).toMatch(/are not in force.*no network/)
  for (const mode of ['enforced', 'simulated', undefined] as const) expect(shown(mode)).toBe('')
})
