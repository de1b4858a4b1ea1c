/** Streams of events over connections: what comes, when they end, and that they are counted no longer. */
import { limits } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServers, type TestServers } from '../testing/test-servers.ts'
import { openSocket, type RawSocket } from '../testing/requests.ts'

let servers: TestServers
const open: RawSocket[] = []
beforeAll(async () => {
  servers = await startServers()
})
afterAll(async () => {
  for (const { socket } of open) socket.destroy()
  await servers.close()
})

const path = `/v1/events?scope=${encodeURIComponent('/v1/projects')}`

function stream(cookie: string): RawSocket {
  const one = openSocket(`http://127.0.0.1:${servers.port}`)
  open.push(one)
  one.socket.write(
    `GET ${path} HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\naccept-encoding: gzip, br\r\n\r\n`,
  )
  return one
}
const watching = async (cookie: string): Promise<RawSocket> => {
  const one = stream(cookie)
  await expect.poll(one.said).toContain('event: watching')
  return one
}
const statusOf = (said: string) => said.split(' ')[1]

describe('a stream of events', () => {
  it('is streamed, as text that must not be cached, and ends with its session', async () => {
    const cookie = await servers.signIn('admin')
    const one = await watching(cookie)
    expect(one.said()).toMatch(/^HTTP\/1.1 200 .*content-type: text\/event-stream; charset=utf-8\r\n/s)
    expect(one.said()).toMatch(/cache-control: no-store\r\n/)
    await servers.world.as('admin').projectCreate({ body: { name: 'more', description: '' } })
    await servers.world.advance(400)
    await expect.poll(one.said).toContain('data: {"scope":"/v1/projects"')
    await servers.ask('/v1/logout', { method: 'POST', headers: { cookie } })
    await servers.world.advance(400)
    await expect.poll(one.said).toMatch(/\r\n0\r\n\r\n$/)
  })

  it('is not counted any more once its client has gone', async () => {
    const cookie = await servers.signIn('viewer')
    const most = limits.events.perSession
    const all = await Promise.all(Array.from({ length: most }, () => watching(cookie)))
    const beyond = stream(cookie)
    await expect.poll(() => statusOf(beyond.said())).toBe('429')
    for (const { socket } of all) socket.destroy()
    await expect
      .poll(async () => {
        const next = stream(cookie)
        await expect.poll(next.said).not.toBe('')
        return statusOf(next.said())
      })
      .toBe('200')
  })

  it('does not keep the server from ending', async () => {
    const one = await watching(await servers.signIn('collaborator'))
    // The server would wait for a request as long as that: longer than a test may take.
    await servers.stop(10 * 60_000)
    await one.ended
  })
})
