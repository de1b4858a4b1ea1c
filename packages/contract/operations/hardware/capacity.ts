/** Our own operations: the capacity of the fleet, and what needs the attention of operators. */
import { op } from '#/op.ts'
import { attentionKinds } from '#/rules/alerts/classes.ts'
import { severities } from '#/rules/alerts/attention.ts'
import { array, enumOf, nullable, object, ref, string, time, unlimited } from '#/schema.ts'
import { uint32 } from '#/schemas/integers.ts'
import { inOrder, page } from '#/schemas/page.ts'
import { ByteCount, Name, Uuid } from '#/schemas/scalar.ts'
import { Trend } from '../silos/silos.ts'
import { Share } from './hardware.ts'

const tag = 'system/hardware'
const text = string(unlimited)
const resources = { threads: Share, memory: Share, storage: Share }
export const capacityView = op({
  method: 'GET', path: '/v1/system/capacity', allow: 'fleet.viewer', ok: 200, tag,
  response: ref('Capacity', object({
    ...resources,
    racks: array(ref('RackCapacity', object({ id: Uuid, serial: text, ...resources })), unlimited),
    estimate: object({ threads: uint32, memory: ByteCount, storage: ByteCount }),
    fits: array(ref('SizeThatFits', object({
      name: Name, ncpus: uint32, memory: ByteCount, count: uint32,
    })), unlimited),
    trends: object({ threads: Trend, memory: Trend, storage: Trend }),
  })),
})

export const attentionList = op({
  method: 'GET', path: '/v1/system/attention', allow: 'fleet.viewer', ok: 200, tag,
  query: object(inOrder),
  response: ref('AttentionResultsPage', page(ref('Attention', object({
    id: text, kind: enumOf(attentionKinds), severity: enumOf(severities),
    subject: object({ type: text, id: text, name: text, within: nullable(text) }),
    since: time(), text, advice: text,
  })))),
})
