import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'

const address = process.env['PURLIN_TEST_PG_URL']

it.skipIf(!address)('the test run has a PostgreSQL that answers on loopback', async () => {
  const { protocol, hostname, port } = new URL(address!)
  expect([protocol, hostname]).toEqual(['postgres:', '127.0.0.1'])
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.destroy()
})
