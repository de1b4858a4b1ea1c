import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:tls'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { makeCertificate } from '@purlin/x509/make'
import type { Channel } from '@purlin/qemu/migration/channel'
import { connectForMachine, listenForMachines, type MachineListener } from '@purlin/qemu/migration/listener'

const at = { host: '127.0.0.1', port: 0 }
const log = { warn: () => undefined }
const address = at.host
let listener: MachineListener
let other: Server | undefined
afterEach(() => {
  listener.stop()
  other?.close()
})

it('lets in who knows the secret of a migration, while it is awaited', async () => {
  listener = await listenForMachines(at, log)
  const { port } = listener
  const { promise, resolve } = Promise.withResolvers<Channel>()
  let count = 0
  const [secret, secretOfOther] = ['one', 'other'].map((id) =>
    listener.open(id, (channel) => {
      count++
      resolve(channel)
    }),
  )
  const way = { address, port, secret: secret ?? '' }
  const channel = await connectForMachine(way, 'one')
  await channel.send('hello', 'a machine')
  const taken = await promise
  expect(await taken.receive()).toMatchObject({ kind: 'hello', bytes: Buffer.from('a machine') })
  await taken.send('refused', 'no room')
  await expect(channel.expect('ready')).rejects.toThrow('no room')
  channel.destroy()
  const refused = `the other host does not answer at ${address}, port ${port}`
  for (const [wrong, id] of [
    [{ ...way, secret: secretOfOther ?? '' }, 'one'],
    [way, 'other'],
    [way, 'unknown'],
    [{ ...way, secret: '' }, 'one'],
  ] as const)
    await expect(connectForMachine(wrong, id)).rejects.toThrow(refused)
  listener.close('one')
  await expect(connectForMachine(way, 'one')).rejects.toThrow(refused)
  // A client without a key, as one that has found the port.
  const stranger = connect({ port, host: address, rejectUnauthorized: false })
  await once(stranger, 'error')
  expect(count).toBe(1)
})

it('sends a machine to no host that has a certificate instead of the secret', async () => {
  listener = await listenForMachines(at, log)
  const { cert, key } = await makeCertificate({
    commonName: address,
    dnsNames: ['localhost'],
    notAfter: new Date(Date.now() + 60_000_000),
  })
  other = createServer({ cert, key })
  other.listen(at)
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await expect(connectForMachine({ address, port, secret: 'ab'.repeat(32) }, 'one')).rejects.toThrow(
    'does not answer',
  )
})
