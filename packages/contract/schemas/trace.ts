/**
 * Schemas of traces and reachability of instances. They are separate so that a reader of one does not load the
 * others.
 */
import { enumOf, nullable, object, ref } from '../schema.ts'
import { Ip } from './address.ts'
import { uint16 } from './integers.ts'
import { Uuid } from './scalar.ts'

/** The rule or route that decided a step. */
const reasons = [
  // source check
  'own_address',
  'transit_ip',
  'foreign_address',
  'nobody_sends',
  'not_running',
  // firewall
  'rule',
  'no_rule',
  // route
  'route',
  'no_route',
  'drop_route',
  // gateway, and the way in from outside
  'address',
  'not_primary',
  'no_external_address',
  'nothing_attached',
  'other_family',
  'not_covered',
  // delivery
  'delivered',
  'must_forward',
  'left',
  'nobody_has_address',
  'not_accepted',
  // an instance
  'no_interface',
] as const
export const TraceReason = ref('TraceReason', enumOf(reasons))

export const TraceAddress = ref(
  'TraceAddress',
  object({
    kind: enumOf(['floating', 'ephemeral', 'snat']),
    ip: Ip,
    firstPort: uint16,
    lastPort: uint16,
    ipPoolId: nullable(Uuid),
  }),
)
