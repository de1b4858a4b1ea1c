import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SledUnreachable, type SledNetwork } from '@purlin/core/ports'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { lacks, onLinux } from '@purlin/sleds/testing/skips'
import { answersAt, networksAt } from './client.ts'
import type { HostNetworks } from './networks.ts'
import { findNetworks, holdAlone, markOfNetworks } from './open.ts'
import { serveNetworks } from './serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'purlin-helper-'))
const path = join(folder, 'socket')
const asked: unknown[] = []
const counted = { bytes: 2 ** 40, packets: 2, errors: 0, dropped: 1 }
const networks: HostNetworks = {
  set: async (network) => {
    if (network.vpcId === 'refused') throw new Error('a network has a malformed address')
    asked.push(network)
  },
  held: async () => [{ vpcId: 'v', version: 2 ** 40 }],
  named: async () => ({ tunnelAddress: '192.0.2.7', external: ['203.0.113.0/24'] }),
  prepare: async (nicIds) => nicIds.map((id) => `n${id}`),
  connect: async (nicIds) => void asked.push(nicIds),
  release: async (nicIds) => void asked.push(nicIds),
  traffic: async (nicIds) => nicIds.map((nicId) => ({ nicId, sent: counted, received: counted })),
  clear: async () => void asked.push('clear'),
}
const network: SledNetwork = {
  vpcId: 'v',
  version: 1,
  vni: 5000,
  zone: 'v.internal',
  rules: [
    {
      id: 'rule',
      name: 'rule',
      direction: 'inbound',
      action: 'allow',
      priority: 1,
      hosts: { inside: true, nets: ['10.0.0.0/8'] },
      protocols: [{ type: 'icmp', icmpType: null, codes: null }],
    },
  ],
  routeSets: [[{ id: 'r', name: 'r', routerId: 'r', destination: '0.0.0.0/0', target: { type: 'drop' } }]],
  peers: [{ ip: '10.0.0.5', mac: 'A8:40:25:F0:00:01', sledId: 's', hostname: 'web' }],
  interfaces: [],
}
let server: Server
const contenders: ChildProcess[] = []
/** Says whether it holds a file, and stays. */
const contender = `
import { holdAlone } from ${JSON.stringify(new URL('open.ts', import.meta.url).href)}
let said = 'held'
try { holdAlone(process.argv[1]) } catch { said = 'refused' }
console.log(said)
setInterval(() => {}, 60_000)
`

beforeAll(async () => {
  server = await serveNetworks({ networks, path, owner: process.getuid?.() ?? 0 })
})
afterAll(() => {
  for (const child of contenders) child.kill('SIGKILL')
  server.close()
  rmSync(folder, { recursive: true })
})

const post = (url: string, body: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const asking = request({ socketPath: path, path: url, method: 'POST' }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asking.on('error', reject)
    asking.end(body)
  })

it('whole networks and ids reach the helper, and its answers the server', async () => {
  const client = networksAt(path)
  await client.set(network)
  await client.connect(['a'])
  await client.release(['b'])
  await client.clear()
  expect(asked).toEqual([network, ['a'], ['b'], 'clear'])
  expect(await client.held()).toEqual([{ vpcId: 'v', version: 2 ** 40 }])
  expect(await client.traffic(['a'])).toEqual([{ nicId: 'a', sent: counted, received: counted }])
  expect(await client.prepare(['a', 'b'])).toEqual(['na', 'nb'])
  await expect(client.set({ ...network, vpcId: 'refused' })).rejects.toThrow(
    'refuses: a network has a malformed address',
  )
})

it('only its user opens the socket, and nothing but the calls is carried out', async () => {
  expect(statSync(path).mode & 0o777).toBe(0o600)
  for (const [url, body] of [
    ['/run', '{}'],
    ['/constructor', '{}'],
    ['/set', '{'],
    ['/set', JSON.stringify({ ...network, vpcId: 1 })],
    ['/prepare', JSON.stringify({ nic_ids: Array.from({ length: 101 }, String) })],
  ] as const)
    expect(await post(url, body)).toBe(400)
})

it('one process at a time makes the networks of a folder, also of several that start at the same moment', async () => {
  const lock = join(folder, 'lock')
  const start = () =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', contender, lock])
      contenders.push(child)
      child.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()))
    })
  const results = await Promise.all([start(), start(), start()])
  expect(results.toSorted()).toEqual(['held', 'refused', 'refused'])
  expect(() => holdAlone(lock)).toThrow('another process')
  // One that was killed holds nothing.
  const ends = contenders.map((child) => once(child, 'close'))
  for (const child of contenders) child.kill('SIGKILL')
  await Promise.all(ends)
  holdAlone(lock).close()
})

it('a helper that does not run is unreachable', async () => {
  expect(await answersAt(path)).toBe(true)
  expect(await answersAt(join(folder, 'none'))).toBe(false)
  await expect(networksAt(join(folder, 'none')).held()).rejects.toThrow(SledUnreachable)
})

it('a helper that is stopped is unreachable as well', async () => {
  const silent = createServer()
  const at = join(folder, 'silent')
  await new Promise<void>((listening) => silent.listen(at, listening))
  expect(await answersAt(at, 20)).toBe(false)
  await expect(networksAt(at, { longestMs: 20 }).prepare(['a'])).rejects.toThrow(SledUnreachable)
  silent.closeAllConnections()
  silent.close()
})

it.skipIf(lacks(process.platform !== 'linux' && onLinux))(
  'a host that had networks does not go without',
  async () => {
    const user = vi.spyOn(process, 'getuid').mockReturnValue(1000)
    const of = join(folder, 'data')
    mkdirSync(of)
    const problem = 'the network helper does not run'
    expect(await findNetworks(of, { external: [] })).toEqual({ networks: undefined, problem })
    writeFileSync(join(of, markOfNetworks), '')
    const found = await findNetworks(of, { external: [] })
    user.mockRestore()
    expect(found.problem).toBe(problem)
    await expect(found.networks?.prepare(['a'])).rejects.toThrow(SledUnreachable)
    await expect(found.networks?.set(network)).rejects.toThrow(SledUnreachable)
    await expect(found.networks?.held()).rejects.toThrow(SledUnreachable)
  },
)
