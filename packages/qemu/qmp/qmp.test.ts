import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { manualClock } from '@purlin/sleds/manual-clock'
import { realClock } from '@purlin/sleds/suite/real-clock'
import { answerMs, openQmp, QmpClosed, QmpError, QmpSilent } from './qmp.ts'

const folder = mkdtempSync(join(tmpdir(), 'purlin-qmp-'))
const path = join(folder, 'qmp')
let server: Server | undefined
let peer: Socket | undefined
afterEach(async () => {
  peer?.destroy()
  await new Promise<void>((done) => (server ? server.close(() => done()) : done()))
  server = undefined
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Command {
  execute: string
  id: number
}

/** Speaks like QEMU. */
function listen(answer: (command: Command) => unknown) {
  return (server = createServer((socket) => {
    peer = socket
    socket.write('{"QMP": {"version": {}, "capabilities": []}}\r\n')
    socket.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n').filter(Boolean)) {
        const command = JSON.parse(line) as Command
        const isFirst = command.execute === 'qmp_capabilities'
        socket.write(`${JSON.stringify(isFirst ? { return: {}, id: command.id } : answer(command))}\r\n`)
      }
    })
  }).listen(path))
}

it('waits for QEMU to listen, matches answers to commands, passes events on, and ends once', async () => {
  const events: unknown[] = []
  const on = {
    event: (name: string, data: object) => events.push([name, data]),
    end: () => events.push('end'),
  }
  const opened = openQmp({ path, clock: realClock, isAlive: () => true, on })
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

it('does not wait without an end for QEMU that neither greets nor answers', async () => {
  const clock = manualClock()
  const target = {
    path,
    clock,
    isAlive: () => true,
    on: { event: () => undefined, end: () => undefined },
  }
  server = createServer((socket) => void (peer = socket)).listen(path)
  await once(server, 'listening')
  const greeted = openQmp(target).catch((error: unknown) => error)
  await vi.waitFor(() => expect([peer, clock.pending()]).toEqual([expect.anything(), 1]), 60_000)
  await clock.advance(answerMs)
  expect(await greeted).toBeInstanceOf(QmpSilent)
  await new Promise((done) => server?.close(done))

  await once(
    listen(() => ({ event: 'RESET' })),
    'listening',
  )
  const qmp = await openQmp(target)
  const answer = qmp.run('a').catch((error: unknown) => error)
  await clock.advance(answerMs)
  expect(await answer).toBeInstanceOf(QmpSilent)
  // Nothing else waits, and an end is not taken for silence.
  const ended = qmp.run('b').catch((error: unknown) => error)
  qmp.close()
  expect(await ended).toBeInstanceOf(QmpClosed)
  expect(clock.pending()).toBe(0)
})

it('gives up once the process has ended', async () => {
  const on = { event: () => undefined, end: () => undefined }
  const opened = openQmp({ path: join(folder, 'none'), clock: realClock, isAlive: () => false, on })
  await expect(opened).rejects.toThrow(QmpClosed)
})
