import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { killAll, newFolder, startChild } from '../testing/children.ts'
import { serve, type ServerProcess } from '../testing/process.ts'
import { signIn, type Api } from '../testing/requests.ts'
import { StartError } from '../process/start-errors.ts'
import { epochsIn } from './epochs-file.ts'
import { startHost } from './host.ts'
import { readHostConfig } from './host-flags.ts'

const patient = { timeout: 60_000, interval: 50 }
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const program = fileURLToPath(new URL('../../../tools/host.ts', import.meta.url))
const query = { project: 'there' }

let server: ServerProcess
let api: Api
const folder = newFolder()
beforeAll(async () => {
  server = await serve()
  ;({ api } = await signIn(server.url))
})
afterAll(() => {
  killAll()
  folder.remove()
})

const newCode = async () => (await api.hostJoinCodeCreate({ body: {} })).code
const flagsFor = (name: string, ...more: string[]) => [
  '--simulated',
  '2',
  '--data-dir',
  join(folder.path, name),
  ...more,
]
const configOf = (...args: string[]) => {
  const config = readHostConfig(args)
  if (!config) throw new Error('these flags ask for help')
  return config
}
const anyPort = ['--listen', '127.0.0.1:0']
const stateOf = async (hostId: string) => (await api.hostView({ params: { hostId } })).state
const waiting = async () => (await api.sledListUninitialized({ query: {} })).items

describe('a host', () => {
  it('joins once with a code, and then serves without one', async () => {
    const code = await newCode()
    const join1 = flagsFor('one', '--join', code, ...anyPort)
    const warn = vi.fn()
    const host = await startHost(configOf(...join1), { ...log, warn })
    await vi.waitFor(async () => expect(await stateOf(host.id)).toBe('up'), patient)
    const strangers = Array.from({ length: 70 }, () => connect(host.at.port, host.at.host))
    await Promise.any(strangers.map((stranger) => once(stranger, 'close')))
    expect(warn).toHaveBeenCalledWith(expect.anything(), 'connections are closed because there are too many')
    expect(await stateOf(host.id)).toBe('up')
    for (const stranger of strangers) stranger.destroy()
    for (const name of readdirSync(join(folder.path, 'one')).filter((one) => one.endsWith('.json')))
      expect(statSync(join(folder.path, 'one', name)).mode & 0o077).toBe(0)
    await expect(startHost(configOf(...flagsFor('two', '--join', code, ...anyPort)), log)).rejects.toThrow(
      'The server refuses this host: the join code is wrong, was used already, or has expired',
    )
    expect(existsSync(join(folder.path, 'two', 'host.json'))).toBe(false)
    const [board] = (await waiting()).map(({ baseboard }) => baseboard)
    const { id: sledId } = await api.sledAdd({
      body: { part: board?.part ?? '', serial: board?.serial ?? '' },
    })
    await host.stop()
    await vi.waitFor(async () => expect(await stateOf(host.id)).toBe('silent'), patient)
    await expect(startHost(configOf(...join1), log)).rejects.toThrow('has joined a fleet already')
    const again = await startHost(configOf(...flagsFor('one')), log)
    expect(again.id).toBe(host.id)
    await vi.waitFor(async () => expect(await stateOf(host.id)).toBe('up'), patient)
    expect(await api.sledView({ params: { sledId } })).toMatchObject({ missingSince: null })
    expect(await waiting()).toHaveLength(1)
    await again.stop()
  })

  it('knows after a restart which server drives it', () => {
    const path = join(folder.path, 'epochs')
    mkdirSync(path)
    epochsIn(path, log).require('a sled', 7)
    const after = epochsIn(path, log)
    expect(() => after.require('a sled', 6)).toThrow(expect.objectContaining({ epoch: 7 }) as Error)
    after.require('a sled', 7)
    after.require('another', 1)
    expect(statSync(join(path, 'epochs.json')).mode & 0o077).toBe(0)
    writeFileSync(join(path, 'epochs.json'), '{"a sled":')
    expect(() => epochsIn(path, log)).toThrow(StartError)
  })

  it('says what is wrong with its flags, its code and its server', async () => {
    const wrong = (...args: string[]) => startHost(configOf(...args), log)
    expect(() => readHostConfig(['--join', 'a code'])).toThrow('copy it again')
    expect(() => readHostConfig(['--listen', '12230'])).toThrow('an address and a port')
    expect(() => readHostConfig([])).toThrow('need --disks')
    expect(() => readHostConfig(['--simulated', '0'])).toThrow('--simulated must be a whole number')
    expect(() => readHostConfig(['--simulated', '2', '--disks', 'here'])).toThrow('leave out')
    await expect(wrong(...flagsFor('three'))).rejects.toThrow('has not joined a fleet')
    const code = await newCode()
    const lost = code.replace(server.url, 'http://127.0.0.1:1')
    expect(lost).not.toBe(code)
    await expect(wrong(...flagsFor('three', '--join', lost, ...anyPort))).rejects.toThrow('cannot be reached')
    const forged = code.replace(/\.[0-9a-f]{64}\./, `.${'0'.repeat(64)}.`)
    await expect(wrong(...flagsFor('three', '--join', forged, ...anyPort))).rejects.toThrow(
      'does not come from the fleet',
    )
  })

  it('that falls silent keeps its instances as they were, and ends those that were given up', async () => {
    const before = (await api.hostList({ query: {} })).items.map(({ id }) => id)
    const child = startChild(program, { args: flagsFor('four', '--join', await newCode(), ...anyPort) })
    const newest = async () =>
      (await api.hostList({ query: {} })).items.find(
        ({ id, state }) => state === 'up' && !before.includes(id),
      )?.id
    await vi.waitFor(async () => expect(await newest()).toBeDefined(), patient)
    const hostId = (await newest()) ?? ''
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(2), patient)
    const [board] = (await waiting()).map(({ baseboard }) => baseboard)
    const { id: sledId } = await api.sledAdd({
      body: { part: board?.part ?? '', serial: board?.serial ?? '' },
    })
    // Only this sled takes instances.
    for (const sled of (await api.sledList({ query: {} })).items)
      if (sled.id !== sledId)
        await api.sledSetProvisionPolicy({
          params: { sledId: sled.id },
          body: { state: 'non_provisionable' },
        })
    await api.projectCreate({ body: { name: 'there', description: '' } })
    const { id } = await api.instanceCreate({
      query,
      body: {
        name: 'web',
        description: '',
        hostname: 'web',
        ncpus: 1,
        memory: 2 ** 30,
        networkInterfaces: { type: 'none' },
      },
    })
    const view = () => api.instanceView({ params: { instance: id }, query: {} })
    await vi.waitFor(async () => expect((await view()).runState).toBe('running'), patient)
    child.process.kill('SIGSTOP')
    await vi.waitFor(async () => expect(await stateOf(hostId)).toBe('silent'), patient)
    expect((await view()).runState).toBe('running')
    await expect(api.hostDelete({ params: { hostId } })).rejects.toMatchObject({
      message: expect.stringContaining('is in service'),
    })
    await api.sledExpunge({ params: { sledId } })
    child.process.kill('SIGCONT')
    // The sled comes back as a new one, without the machine.
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(2), patient)
    expect((await view()).runState).not.toBe('running')
    await api.hostDelete({ params: { hostId } })
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(0), patient)
    await child.stop()
  })
})
