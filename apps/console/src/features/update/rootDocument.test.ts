import { expect, it } from 'vitest'
import { signaturesText, statementsOf } from './rootDocument.ts'

it('a root document states its version, its end, and the keys that sign the next one', () => {
  const signed = {
    version: 3,
    expires: '2040-01-01T00:00:00Z',
    roles: { root: { keyids: ['aa', 'bb'], threshold: 1 } },
  }
  const stated = statementsOf({ signed })
  expect(stated).toEqual({
    version: 3,
    expires: new Date('2040-01-01T00:00:00Z'),
    keyIds: ['aa', 'bb'],
    threshold: 1,
  })
  expect(signaturesText(stated)).toBe('1 of 2')
})

it('another document states nothing', () => {
  const nothing = { version: undefined, expires: undefined, keyIds: [], threshold: undefined }
  for (const document of [null, 'text', {}, { signed: { expires: 'soon', version: '1', roles: [] } }])
    expect(statementsOf(document)).toEqual(nothing)
})
