/** A body that is too long for memory: the repository of a release. */
import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServers, type TestServers } from '../testing/test-servers.ts'

const MiB = 1024 * 1024
const path = '/v1/system/update/repositories?file_name=update.zip'
const type = { 'content-type': 'application/octet-stream' }

let servers: TestServers
let cookie: string
beforeAll(async () => {
  servers = await startServers()
  cookie = await servers.signIn('fleetAdmin')
})
afterAll(() => servers.close())

const put = (headers: Record<string, string>, body: Buffer) =>
  servers.ask(path, { method: 'PUT', headers: { ...type, ...headers }, body })
const stored = async (): Promise<number> => (await servers.world.world.updates?.files.list())?.length ?? -1

it('longer bodies than others are read, several at a time, and nothing of a refused one is kept', async () => {
  const body = Buffer.alloc(20 * MiB, 'purlin')
  const answers = await Promise.all([
    put({ cookie }, body),
    put({ cookie }, body),
    put({ cookie }, Buffer.alloc(0)),
  ])
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
  expect(answers.map(({ text }) => text).join()).toMatch(/no trust root.*no trust root.*is empty/s)
  expect(await stored()).toBe(0)
})

it('it is only read of administrators of the fleet, of its type and up to its limit', async () => {
  const body = Buffer.alloc(MiB)
  expect((await put({}, body)).status).toBe(401)
  expect((await put({ cookie: await servers.signIn('viewer') }, body)).status).toBe(403)
  const headers = { cookie, 'content-type': 'application/json' }
  expect((await put(headers, body)).status).toBe(400)
  const head = `PUT ${path} HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\ncontent-type: application/octet-stream\r\n`
  const answer = await servers.sendRaw(
    `${head}connection: close\r\ncontent-length: ${5 * 1024 * MiB}\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
})

it('nothing is kept if the client goes away', async () => {
  const socket = connect(servers.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  socket.write(
    `PUT ${path} HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\ncontent-type: application/octet-stream\r\ncontent-length: ${9 * MiB}\r\n\r\n`,
  )
  socket.write(Buffer.alloc(3 * MiB))
  await expect.poll(stored).toBe(1)
  socket.destroy()
  await expect.poll(stored).toBe(0)
})
