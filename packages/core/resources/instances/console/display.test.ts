import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { giveDisplay, rfb, type FakeDisplay } from '#/testing/consoles/fake-display.ts'
import { openLive } from '#/testing/consoles/open-live.ts'
import { instancesOf, swift } from '#/testing/machines.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld({ timings: swift })
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const start = async () => {
  await instancesOf(w).create('web', { start: true })
  await w.advance(500)
}
const open = async (who: Who) => {
  const opened = await openLive(w, who, 'web/display?project=demo')
  const send = (...bytes: number[]) => opened.stream.receive(Uint8Array.from(bytes))
  return { ...opened, send }
}

describe('the screen of a real machine', () => {
  let display: FakeDisplay
  beforeEach(async () => {
    display = giveDisplay(w.sleds)
    await start()
  })
  const doing = [...rfb.key, ...rfb.pointer, ...rfb.cutText]

  it.each<Who>(['admin', 'collaborator', 'projectAdmin', 'projectCollaborator'])(
    '%s controls it',
    async (who) => {
      const { send, seen, allow } = await open(who)
      expect(seen.text).toBe('RFB 003.008\n')
      expect(send(...rfb.greeting)).toBe(false)
      expect(send(...doing, ...rfb.picture)).toBe(true)
      expect(display.got).toEqual([...rfb.greeting, ...doing, ...rfb.picture])
      expect(allow).toBe('project.collaborator')
    },
  )

  it.each<Who>(['viewer', 'projectViewer'])('%s watches it, and nothing else', async (who) => {
    const { send, allow } = await open(who)
    expect(send(...rfb.greeting, ...doing, ...rfb.picture)).toBe(false)
    expect(display.got).toEqual([...rfb.greeting, ...rfb.picture])
    expect(allow).toBe('project.viewer')
  })

  it.each<[Who, number]>([
    ['noRole', 404],
    ['stranger', 404],
    ['fleetAdmin', 404],
  ])('%s does not get it: %i', async (who, status) => {
    await expect(open(who)).rejects.toMatchObject({ status })
    expect(display.clients).toEqual([])
  })

  it('ends for a client that does not keep to the protocol, and takes nothing more from it', async () => {
    const { send, seen } = await open('admin')
    expect(send(...rfb.greeting, 250, ...rfb.key)).toBe(false)
    expect(send(...rfb.key)).toBe(false)
    expect(seen.closed).toEqual(['the client sends a message of the unknown type 250'])
    expect(display.log).toEqual(['close'])
    expect(display.got).not.toContain(97)
  })

  it('is held back and let go', async () => {
    const { stream } = await open('admin')
    stream.setPaused?.(true)
    stream.setPaused?.(false)
    stream.close()
    stream.setPaused?.(true)
    expect(display.log).toEqual(['pause', 'resume', 'close'])
  })
})

it('a simulated machine has none, and says so', async () => {
  await start()
  const { seen, send } = await open('viewer')
  expect(seen).toEqual({ text: '', closed: ['the machine is simulated, and has no screen'] })
  send(...rfb.greeting)
})

it('an instance that is stopped has none', async () => {
  await instancesOf(w).create('web')
  await expect(open('admin')).rejects.toMatchObject({
    status: 400,
    message: 'instance is stopped and has no active screen server',
  })
})
