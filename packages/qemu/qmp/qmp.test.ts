import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { systemClock } from '../testing/system-clock.ts'
import { openQmp, QmpClosed, QmpError } from './qmp.ts'

const folder = mkdtempSync(join(tmpdir(), 'purlin-qmp-'))
const path = join(folder, 'qmp')
let server: Server | undefined
let peer: Socket | undefined
afterEach(async () => {
  peer?.destroy()
  await new Promise<void>((done) => (server ? server.close(() => done()) : done()))
  rmSync(folder, { recursive: true, force: true })
})

interface Command {
  execute: string
  id: number
}

/** Speaks like QEMU. */
function listen(answer: (command: Command) => unknown) {
  server = createServer((socket) => {
    peer = socket
    socket.write('{"QMP": {"version": {}, "capabilities": []}}\r\n')
    socket.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n').filter(Boolean)) {
        const command = JSON.parse(line) as Command
        const isFirst = command.execute === 'qmp_capabilities'
        socket.write(`${JSON.stringify(isFirst ? { return: {}, id: command.id } : answer(command))}\r\n`)
      }
    })
  }).listen(path)
}

it('waits for QEMU to listen, matches answers to commands, passes events on, and ends once', async () => {
  const events: unknown[] = []
  const on = {
    event: (name: string, data: object) => events.push([name, data]),
    end: () => events.push('end'),
  }
  const opened = openQmp({ path, clock: systemClock, isAlive: () => true, on })
  await new Promise((done) => setImmediate(done))
  const held: Command[] = []
  listen((command) => {
    if (command.execute === 'refused') {
      return { error: { class: 'DeviceNotFound', desc: 'no such device' }, id: command.id }
    }
    held.push(command)
    if (held.length < 2) return { event: 'RESET', data: { guest: true } }
    // The second one is answered before the first one.
    peer?.write(`${JSON.stringify({ return: 'b', id: command.id })}\n`)
    return { return: 'a', id: held[0]?.id }
  })
  const qmp = await opened
  expect(await Promise.all([qmp.run('a'), qmp.run('b')])).toEqual(['a', 'b'])
  const refused: unknown = await qmp.run('refused').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(QmpError)
  expect(refused).toMatchObject({ kind: 'DeviceNotFound', message: 'no such device' })
  peer?.end('not JSON\n')
  await expect(qmp.run('c')).rejects.toThrow(QmpClosed)
  await expect(qmp.run('d')).rejects.toThrow(QmpClosed)
  qmp.close()
  expect(events).toEqual([['RESET', { guest: true }], 'end'])
})

it('gives up once the process has ended', async () => {
  const on = { event: () => undefined, end: () => undefined }
  const opened = openQmp({ path: join(folder, 'none'), clock: systemClock, isAlive: () => false, on })
  await expect(opened).rejects.toThrow(QmpClosed)
})
