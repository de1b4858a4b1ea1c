import { afterEach, expect, it, vi } from 'vitest'
import { networkTransport } from './transport.ts'

afterEach(() => vi.unstubAllGlobals())

it('a socket gives bytes, whether they come as bytes or as text', () => {
  const socket = new EventTarget()
  vi.stubGlobal('window', { location: { protocol: 'https:', host: 'purlin.test' } })
  vi.stubGlobal(
    'WebSocket',
    vi.fn(function () {
      return socket
    }),
  )
  const read: string[] = []
  networkTransport.openSocket('/v1/stream', {
    open: () => undefined,
    data: (bytes) => read.push(new TextDecoder().decode(bytes)),
    closed: () => undefined,
  })
  for (const data of ['grüß dich 5', new TextEncoder().encode('✓').buffer])
    socket.dispatchEvent(new MessageEvent('message', { data }))
  expect(read).toEqual(['grüß dich 5', '✓'])
})
