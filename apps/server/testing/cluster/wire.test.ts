import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { freePort } from '../postgres.ts'
import { openWire } from './wire.ts'

const inside = '127.0.0.1'
const places = 40
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function echo(host: string): Promise<AddressInfo> {
  const server: Server = createServer((socket) => socket.on('error', () => undefined).pipe(socket))
  server.listen({ host, port: 0 })
  await once(server, 'listening')
  ends.push(() => server.close())
  return server.address() as AddressInfo
}

async function connected(port: number, localPort?: number): Promise<Socket> {
  const from = localPort === undefined ? {} : { localPort }
  const socket = connect({ host: inside, port, ...from })
  ends.push(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Another process with connections from the same port to many other places, most of which the kernel lists first. */
async function otherFrom(localPort: number, port: number): Promise<number> {
  const program = `
    const { connect } = require('node:net')
    let left = ${places}
    for (let i = 2; i < 2 + ${places}; i++)
      connect({ host: '127.0.0.' + i, port: ${port}, localAddress: '${inside}', localPort: ${localPort} }, () => --left || console.log('connected'))
        .on('error', (error) => console.log(error.code))`
  const child = spawn(process.execPath, ['-e', program])
  ends.push(() => child.kill())
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  expect(line.toString().trim()).toBe('connected')
  return child.pid ?? 0
}

it('a wire is cut for the process that has a connection, not for one with the same port to another place', async () => {
  const [far, elsewhere] = [await echo(inside), await echo('0.0.0.0')]
  const wire = await openWire({ host: inside, port: 0 }, { host: inside, port: far.port })
  ends.push(() => wire.close())
  const port = await freePort()
  const socket = await connected(wire.port, port)
  const answers: string[] = []
  socket.setEncoding('utf8').on('data', (text: string) => answers.push(text))
  const said = async (text: string) => {
    socket.write(text)
    await expect.poll(() => answers.join('')).toContain(text)
  }
  await said('before')
  const other = await otherFrom(port, elsewhere.port)
  wire.cut(other)
  await said('the other one is cut off')
  wire.cut(process.pid)
  socket.write('lost')
  // An answer that was let through would be here before that of a second connection.
  const through = await connected(far.port)
  through.write('?')
  await once(through, 'data')
  expect(answers.join('')).not.toContain('lost')
  wire.mend()
  await expect.poll(() => answers.join('')).toContain('lost')
})
