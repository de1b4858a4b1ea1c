import { SwitchRefused, SwitchUnreachable } from '@purlin/core/ports'
import { describe, expect, it } from 'vitest'
import {
  exampleConfiguration,
  examplePeer,
  peerOf,
  router,
  type RouterSetup,
  type SwitchHarness,
} from './switch-harness.ts'

export type { SwitchHarness } from './switch-harness.ts'

type Rule = (title: string, body: (harness: SwitchHarness) => Promise<void>) => void

/** The tests that every driver of switches must pass. */
export function switchSuite(name: string, open: () => Promise<SwitchHarness>): void {
  const rule: Rule = (title, body) =>
    it(title, async () => {
      const harness = await open()
      try {
        await body(harness)
      } finally {
        await harness.close()
      }
    })
  describe(`${name}: switch driver`, () => {
    describe('configurations', () => configurationRules(rule))
    describe('BGP sessions', () => sessionRules(rule))
    describe('detection and discovery', () => detectionRules(rule))
  })
}

/** Configures the switch with a peer and waits until there is a session. */
async function established(h: SwitchHarness, peer: Parameters<typeof examplePeer>[0] = {}) {
  await h.driver.configure(h.switchId, withPeer(h, 1, peer))
  await h.advance(1000)
  expect(await peerOf(h)).toMatchObject({ state: 'established', problem: null })
}
const withPeer = (
  h: SwitchHarness,
  version: number,
  peer: Parameters<typeof examplePeer>[0] = {},
  more: Parameters<typeof exampleConfiguration>[2] = {},
) => exampleConfiguration(h, version, { link: { peers: [examplePeer(peer)] }, ...more })
const stateOf = async (h: SwitchHarness) => (await peerOf(h)).state

function configurationRules(rule: Rule) {
  rule('a newer version replaces everything; the same and older ones do nothing', async (h) => {
    const { driver, switchId } = h
    expect(await driver.version(switchId)).toBeNull()
    expect(await driver.status(switchId)).toEqual({ peers: [], bfd: [], neighbors: [] })
    await driver.configure(switchId, exampleConfiguration(h, 5, { answersPings: true }))
    for (const version of [4, 5]) await driver.configure(switchId, exampleConfiguration(h, version))
    expect([await driver.version(switchId), await h.answersPings()]).toEqual([5, true])
    await driver.configure(switchId, { ...exampleConfiguration(h, 6), ports: [] })
    expect([await driver.version(switchId), await h.answersPings()]).toEqual([6, false])
    expect((await driver.status(switchId)).neighbors).toEqual([])
  })

  rule('a configuration that is refused changes nothing', async (h) => {
    const { driver, switchId } = h
    await established(h)
    await h.refuse('no room for its routes')
    await expect(driver.configure(switchId, exampleConfiguration(h, 2))).rejects.toThrow(SwitchRefused)
    expect([await driver.version(switchId), await stateOf(h)]).toEqual([1, 'established'])
    await h.refuse(null)
    const [port] = exampleConfiguration(h, 2).ports
    const unknown = { ...exampleConfiguration(h, 2), ports: [{ ...port!, name: 'no-such-port' }] }
    await expect(driver.configure(switchId, unknown)).rejects.toThrow(SwitchRefused)
    await driver.configure(switchId, exampleConfiguration(h, 2))
    expect(await driver.version(switchId)).toBe(2)
  })

  rule('a lost switch answers nothing, and one without power begins with nothing', async (h) => {
    const { driver, switchId } = h
    await established(h)
    await h.loseSwitch()
    for (const call of [
      driver.configure(switchId, exampleConfiguration(h, 2)),
      driver.version(switchId),
      driver.status(switchId),
    ])
      await expect(call).rejects.toThrow(SwitchUnreachable)
    await h.restoreSwitch()
    await h.restart()
    expect(await driver.version(switchId)).toBeNull()
    await established(h)
  })
}

function sessionRules(rule: Rule) {
  rule('a session passes through its states, with the messages of each, and exchanges routes', async (h) => {
    const begun = h.now()
    await established(h)
    const peer = await peerOf(h)
    expect(peer).toMatchObject({ address: router, localAsn: 65_001, remoteAsn: 64_500 })
    expect(peer.since).toBeGreaterThanOrEqual(begun)
    expect(peer.since).toBeLessThanOrEqual(h.now())
    expect(peer.messages.map(({ direction, type }) => `${direction} ${type}`)).toEqual([
      'sent open',
      'received open',
      'sent keepalive',
      'received keepalive',
      'sent update',
      'received update',
    ])
    expect([peer.exported, peer.imported]).toEqual([['203.0.113.0/24'], ['0.0.0.0/0']])
    await h.advance(4100)
    const later = (await peerOf(h)).messages.slice(6)
    expect(later.filter(({ type }) => type === 'keepalive').length).toBeGreaterThanOrEqual(4)
    expect(await stateOf(h)).toBe('established')
  })

  rule('filters and the first autonomous system of a path decide which routes pass', async (h) => {
    const routes = [
      { network: '10.0.0.0/8', path: [64_500, 64_501] },
      { network: '10.1.0.0/16', path: [64_500] },
      { network: '10.2.0.0/16', path: [64_999] },
    ]
    await h.setRouter(router, { routes })
    await established(h)
    expect((await peerOf(h)).imported).toEqual(routes.map(({ network }) => network))
    const filters = { allowedImport: ['10.1.0.0/16', '10.2.0.0/16'], allowedExport: [] }
    await h.driver.configure(h.switchId, withPeer(h, 2, filters))
    expect(await peerOf(h)).toMatchObject({
      state: 'established',
      exported: [],
      imported: ['10.1.0.0/16', '10.2.0.0/16'],
    })
    await h.driver.configure(h.switchId, withPeer(h, 3, { ...filters, enforceFirstAs: true }))
    await h.advance(1000)
    expect((await peerOf(h)).imported).toEqual(['10.1.0.0/16'])
  })

  rule('other networks are announced without a new session', async (h) => {
    await established(h)
    const { since } = await peerOf(h)
    await h.driver.configure(h.switchId, withPeer(h, 2, {}, { announced: ['203.0.113.0/25'] }))
    const { messages, ...peer } = await peerOf(h)
    expect(peer).toMatchObject({ state: 'established', since, exported: ['203.0.113.0/25'] })
    expect(messages.at(-1)).toMatchObject({ direction: 'sent', type: 'update', text: '203.0.113.0/25' })
  })

  rule('a peer that falls silent is lost after the hold time, and found when it is back', async (h) => {
    await established(h)
    await h.setRouter(router, { isAway: true })
    await h.advance(3500)
    expect(await stateOf(h)).toBe('established')
    await h.advance(3500)
    const { messages, ...peer } = await peerOf(h)
    expect(peer).toMatchObject({ problem: 'the peer has sent nothing for 6 s', exported: [], imported: [] })
    expect(messages.at(-1)).toMatchObject({ type: 'notification', text: 'Hold timer expired' })
    await h.advance(30_000)
    expect(['connect', 'active']).toContain(await stateOf(h))
    await h.setRouter(router, {})
    await h.advance(1000)
    expect(await stateOf(h)).toBe('established')
  })

  rule('a link that is down ends its sessions at once', async (h) => {
    await established(h)
    await h.setLink(h.ports[0], 'down')
    await h.advance(100)
    expect(await peerOf(h)).toMatchObject({ state: 'idle', problem: `the link of ${h.ports[0]} is down` })
    await h.setLink(h.ports[0], 'up')
    await h.advance(5000)
    expect(await stateOf(h)).toBe('established')
  })

  const wrong: [string, RouterSetup, Parameters<typeof examplePeer>[0], string][] = [
    [
      'with another key',
      { key: 'theirs' },
      { md5AuthKey: 'ours' },
      'the peer does not answer, or has another key',
    ],
    ['in another autonomous system', { asn: 64_501 }, {}, 'the peer is in AS 64501, not in AS 64500'],
    [
      'in no network of the link',
      {},
      { address: '198.51.100.9' },
      'no address and no route of phy0 leads to 198.51.100.9',
    ],
  ]
  for (const [title, setup, peer, problem] of wrong)
    rule(`there is no session with a peer ${title}`, async (h) => {
      await h.setRouter(router, setup)
      await h.driver.configure(h.switchId, withPeer(h, 1, peer))
      for (let i = 0; i < 20; i++) {
        await h.advance(777)
        expect(['open_confirm', 'session_setup', 'established']).not.toContain(await stateOf(h))
      }
      expect(await peerOf(h)).toMatchObject({ problem, exported: [], imported: [] })
    })

  rule('another key on one side only ends the session when the hold time has passed', async (h) => {
    await established(h, { md5AuthKey: 'ours' })
    await h.setRouter(router, { key: 'theirs' })
    await h.advance(7000)
    expect(await stateOf(h)).not.toBe('established')
    await h.driver.configure(h.switchId, withPeer(h, 2, { md5AuthKey: 'theirs' }))
    await h.advance(1000)
    expect(await stateOf(h)).toBe('established')
  })

  rule('the history of messages is limited, however long a session lasts', async (h) => {
    await established(h)
    await h.advance(4000)
    const before = (await peerOf(h)).messages.length
    for (let i = 0; i < 40; i++) await h.advance(4000)
    const { messages } = await peerOf(h)
    expect(messages.length).toBeGreaterThan(before)
    expect(messages.length).toBeLessThanOrEqual(64)
    expect(messages.toSorted((a, b) => a.at - b.at)).toEqual(messages)
  })
}

function detectionRules(rule: Rule) {
  const detection = {
    remote: router,
    local: null,
    mode: 'single_hop',
    detectionThreshold: 3,
    requiredRx: 300_000,
  } as const

  rule('detection notices a silent peer and ends its BGP session before the hold time does', async (h) => {
    const bfd = [detection]
    await h.driver.configure(h.switchId, withPeer(h, 1, {}, { bfd }))
    const stateOfBfd = async () => (await h.driver.status(h.switchId)).bfd[0]?.state
    expect(await stateOfBfd()).toBe('down')
    await h.advance(350)
    expect(await stateOfBfd()).toBe('init')
    await h.advance(1000)
    expect([await stateOfBfd(), await stateOf(h)]).toEqual(['up', 'established'])
    await h.setRouter(router, { answersBfd: false })
    await h.advance(1200)
    expect(await stateOfBfd()).toBe('down')
    expect(await peerOf(h)).toMatchObject({ state: 'idle', problem: 'BFD has lost the peer' })
    await h.setRouter(router, {})
    await h.advance(5000)
    expect([await stateOfBfd(), await stateOf(h)]).toEqual(['up', 'established'])
  })

  rule('detection over several hops needs a route, and its own address', async (h) => {
    const far = '192.0.2.9'
    const sessions = [
      { ...detection, remote: far },
      { ...detection, remote: '192.0.2.10', mode: 'multi_hop' as const },
      { ...detection, local: '198.51.100.1' },
      { ...detection, remote: '198.51.100.3', local: '198.51.100.9' },
    ]
    const routes = [{ destination: '192.0.2.0/24', gateway: router, vlanId: null, priority: null }]
    await h.driver.configure(h.switchId, exampleConfiguration(h, 1, { bfd: sessions, link: { routes } }))
    await h.advance(1000)
    const { bfd } = await h.driver.status(h.switchId)
    expect(bfd.map(({ remote, state }) => [remote, state])).toEqual([
      [far, 'down'],
      ['192.0.2.10', 'up'],
      [router, 'up'],
      ['198.51.100.3', 'down'],
    ])
  })

  rule('a neighbor is known while it speaks, and for two minutes after', async (h) => {
    const seen = async () => (await h.driver.status(h.switchId)).neighbors
    const begun = h.now()
    await h.driver.configure(h.switchId, withPeer(h, 1))
    await h.advance(61_000)
    const [neighbor] = await seen()
    expect(neighbor).toMatchObject({ port: h.ports[0], localLink: 'phy0', managementIps: [router] })
    expect(neighbor?.firstSeen).toBeGreaterThanOrEqual(begun)
    expect(neighbor?.lastSeen).toBeGreaterThan(neighbor?.firstSeen ?? Infinity)
    await h.setRouter(router, { isAway: true })
    await h.advance(80_000)
    expect((await seen())[0]?.lastSeen).toBe(neighbor?.lastSeen)
    await h.advance(41_000)
    expect(await seen()).toEqual([])
    await h.setRouter(router, {})
    expect(await seen()).toHaveLength(1)
    await h.setLink(h.ports[0], 'down')
    await h.advance(100)
    expect(await seen()).toEqual([])
  })
}
