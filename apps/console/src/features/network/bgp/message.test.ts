import { expect, it } from 'vitest'
import { messageOf } from './message.ts'

it('a message says its direction, its type and its networks or reason', () => {
  const time = '2026-01-01T00:00:00.000Z'
  const words = (type: string, text: string) => {
    const { raw, ...message } = messageOf({ time, direction: 'received', type, text })
    expect(JSON.parse(raw)).toMatchObject({ type, text })
    return message
  }
  const received = { time: new Date(time), direction: 'Received' }
  expect(words('update', '192.0.2.0/24')).toEqual({
    ...received,
    type: 'Update',
    detail: 'Networks: 192.0.2.0/24',
  })
  expect(words('notification', 'Hold timer expired')).toEqual({
    ...received,
    type: 'Notification',
    detail: 'Hold timer expired',
  })
})

it('a message with other fields is shown as it is', () => {
  const unknown = { time: undefined, direction: '', type: '', detail: '' }
  expect(messageOf('KEEPALIVE')).toEqual({ ...unknown, raw: 'KEEPALIVE' })
  expect(messageOf({ kind: 4 })).toEqual({ ...unknown, raw: '{\n "kind": 4\n}' })
  expect(messageOf(null)).toEqual({ ...unknown, raw: 'null' })
})
