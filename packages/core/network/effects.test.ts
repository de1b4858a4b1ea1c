/** Rules that are said to be shadowed, in generated networks: none of them ever decides about a packet. */
import { expect, it } from 'vitest'
import { netWith, packet, rowsOf } from '#/testing/networks/generated-networks.ts'
import fc from '#/testing/properties.ts'
import { runAtOnce } from '#/concurrency/checkpoints.ts'
import { effectsOf } from './effects.ts'
import { forSled, networkOf } from './model.ts'
import { containsAll, packetsOf } from './packet-sets.ts'
import { arrive, leave } from './packet.ts'
import type { NetworkRule } from './sled-network.ts'

it('a rule that is said to have no effect decides about no packet', () => {
  let shadowed = 0
  const property = fc.property(
    netWith(12),
    fc.array(packet, { minLength: 60, maxLength: 60 }),
    (one, packets) => {
      const rows = rowsOf(one)
      const network = networkOf(rows)
      const { rules } = runAtOnce(effectsOf(rows, network))
      const idle = new Set(rules.flatMap(({ ruleId, effect }) => (effect === 'none' ? [ruleId] : [])))
      shadowed += rules.filter(({ reason }) => reason === 'shadowed').length
      const pushed = forSled(network, 'sled', 1)
      for (const nic of pushed.interfaces)
        for (const sent of packets) {
          const departure = leave(pushed, nic, { ...sent, source: nic.ip })
          const deciding = ['verdict' in departure ? departure.verdict.rule?.id : undefined]
          for (const inside of [true, false]) {
            const verdict = arrive(pushed, nic, { ...sent, destination: nic.ip, inside })
            deciding.push(typeof verdict === 'object' ? verdict.rule?.id : undefined)
          }
          for (const id of deciding)
            expect(id !== undefined && idle.has(id), JSON.stringify({ one, nic: nic.id, sent })).toBe(false)
        }
    },
  )
  fc.assert(property, { numRuns: 300 })
  expect(shadowed).toBeGreaterThan(30)
})

it.each<[string, Partial<NetworkRule>, Partial<NetworkRule>, boolean]>([
  ['anything contains anything', {}, {}, true],
  ['a network does not contain anything', hosts('10.0.0.0/8'), {}, false],
  ['all addresses of both families are anything', hosts('0.0.0.0/0', '::/0'), {}, true],
  ['those of one family are not', hosts('0.0.0.0/0'), {}, false],
  ['a network contains a smaller one', hosts('10.0.0.0/8'), hosts('10.1.0.0/16'), true],
  ['and not a larger one', hosts('10.1.0.0/16'), hosts('10.0.0.0/8'), false],
  ['two halves contain the whole', hosts('10.0.0.0/9', '10.128.0.0/9'), hosts('10.0.0.0/8'), true],
  ['with a gap they do not', hosts('10.0.0.0/10', '10.128.0.0/9'), hosts('10.0.0.0/8'), false],
  ['inside does not contain a network', { hosts: { inside: true, nets: [] } }, hosts('10.0.0.0/8'), false],
  ['a network does not contain inside', hosts('10.0.0.0/8'), { hosts: { inside: true, nets: [] } }, false],
  ['ports contain fewer ports', tcp([1, 9]), tcp([2, 3], [5, 5]), true],
  ['ports that touch are one range', tcp([1, 4], [5, 9]), tcp([2, 8]), true],
  ['with a gap they are not', tcp([1, 4], [6, 9]), tcp([2, 8]), false],
  ['named ports do not contain all', tcp([1, 65_535]), { protocols: [{ type: 'tcp', ports: null }] }, false],
  ['protocols do not contain other ones', tcp([1, 9]), {}, false],
  ['any ICMP contains a type', icmp(null), icmp(8), true],
  ['a type does not contain any', icmp(8), icmp(null), false],
  ['a type contains a code of it', icmp(3), icmp(3, 1), true],
  ['and not of another', icmp(3), icmp(4, 1), false],
])('%s', (_, outer, inner, expected) => {
  const anything = { hosts: null, protocols: null }
  expect(containsAll(packetsOf({ ...anything, ...outer }), packetsOf({ ...anything, ...inner }))).toBe(
    expected,
  )
})

function hosts(...nets: string[]): Partial<NetworkRule> {
  return { hosts: { inside: false, nets } }
}
function tcp(...ports: [number, number][]): Partial<NetworkRule> {
  return { protocols: [{ type: 'tcp', ports: ports.map(([first, last]) => ({ first, last })) }] }
}
function icmp(icmpType: number | null, code?: number): Partial<NetworkRule> {
  const codes = code === undefined ? null : { first: code, last: code }
  return { protocols: [{ type: 'icmp', icmpType, codes }] }
}
