/** The connection by which QEMU gives its memory to this process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Clock } from '@purlin/core/ports'
import { changeSockets, filesIn } from '../machine/context.ts'
import type { MachineProcess } from '../machine/machine-process.ts'
import { openQmp } from '../qmp/qmp.ts'

export interface MemorySource {
  stream: Promise<Socket>
  /** Has QEMU send. */
  begin(): Promise<void>
  close(): Promise<void>
}

interface Sending {
  folder: string
  clock: Clock
  process: MachineProcess
}

export async function openSource({ folder, clock, process }: Sending): Promise<MemorySource> {
  const { memory: path, sending } = filesIn(folder)
  const server = createServer()
  await changeSockets(folder, async () => {
    await rm(path, { force: true })
    server.listen(path)
    await once(server, 'listening')
  })
  const connected = once(server, 'connection') as Promise<[Socket]>
  const close = async () => {
    server.close()
    // QEMU gives up if it still sends.
    void connected.then(([socket]) => socket.destroy())
    await changeSockets(folder, () => rm(path, { force: true }))
  }
  const stream = connected.then(([socket]) => socket)
  if (!existsSync(sending))
    return { stream, begin: () => process.run('migrate', { uri: `unix:${path}` }), close }
  return { stream, begin: () => giveAndBegin({ path, sending, clock }), close }
}

const giver = fileURLToPath(new URL('../qmp/give-connection.ts', import.meta.url))
const name = 'memory'

interface Given {
  /** of the socket that QEMU is to send to */
  path: string
  /** of its QMP */
  sending: string
  clock: Clock
}

/** QEMU knows a descriptor by the connection that has given it, and keeps it if that ends. */
async function giveAndBegin({ path, sending, clock }: Given): Promise<void> {
  const on = { event: () => undefined, end: () => undefined }
  const qmp = await openQmp({ path: sending, clock, isAlive: () => false, on })
  try {
    await qmp.lend(async (socket) => {
      const child = spawn(process.execPath, [giver, path], {
        stdio: ['ignore', 'ignore', 'ignore', socket],
        env: { NODE_CHANNEL_FD: '3' },
      })
      const [code] = (await once(child, 'exit')) as [number | null]
      if (code !== 0) throw new Error('QEMU could not be given a connection')
    })
    await qmp.run('getfd', { fdname: name })
    await qmp.run('migrate', { uri: `fd:${name}` })
  } finally {
    qmp.close()
  }
}
