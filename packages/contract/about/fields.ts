/**
 * Sentences about the fields of requests and answers. They are separate from the schemas, which browsers load; a test
 * fails for a field without one.
 */
import { kindNames, kindOf, kinds } from '../rules/kinds.ts'
import { bare, type Field, type Node } from '../schema.ts'
import type { FieldSentences } from './field-sentences.ts'
import { alerts } from './fields/alerts.ts'
import { access } from './fields/access.ts'
import { backups } from './fields/backups.ts'
import { bundles } from './fields/bundles.ts'
import { hardware } from './fields/hardware.ts'
import { instances } from './fields/instances.ts'
import { lists } from './fields/lists.ts'
import { metrics } from './fields/metrics.ts'
import { networking } from './fields/networking.ts'
import { networks } from './fields/networks.ts'
import { ofCreate, ofUpdate, shared } from './fields/shared.ts'
import { schedules } from './fields/schedules.ts'
import { updates } from './fields/updates.ts'
import { userDataFields } from './user-data.ts'
import { switches } from './fields/switches.ts'
import { silos } from './fields/silos.ts'

/** By the owner of a field: the name of its schema, the name of an operation for a query, `Schema.field` for a nested object. */
export const fieldSentences: FieldSentences = {
  ...access,
  ...lists,
  ...silos,
  ...instances,
  ...networks,
  ...metrics,
  ...hardware,
  ...networking,
  ...switches,
  ...updates,
  ...alerts,
  ...backups,
  ...bundles,
  ...schedules,
  ...userDataFields,
}

const isId = (node: Node): boolean => {
  const inner = node.kind === 'nullable' ? bare(node.inner) : bare(node)
  return inner.kind === 'string' && inner.format === 'uuid'
}

/** Fields that name a resource: `disk`, `diskId`, `userId`. */
const nouns: Partial<Record<string, string>> = {
  ...Object.fromEntries(kindNames.map((kind) => [`${kind}Id`, kinds[kind].noun])),
  // Of several kinds with the same field, the first one.
  ...Object.fromEntries(kindNames.toReversed().map((kind) => [kindOf(kind).field, kinds[kind].noun])),
  tokenId: 'token',
  sessionId: 'session',
  task: 'task',
  resourceId: 'resource',
  user: 'user',
  subnetId: kinds.vpcSubnet.noun,
  interfaceId: kinds.networkInterface.noun,
}
function selector({ key, node, optional }: Field): string | undefined {
  const noun = nouns[key]
  if (noun === undefined) return undefined
  if (isId(node)) return `The id of the ${noun}.`
  return `The name or id of the ${noun}${optional ? '; needed if the resource is named instead of given by id' : ''}.`
}

/** The sentence about a field; undefined if there is none. */
export function aboutField(owner: string, field: Field): string | undefined {
  const { key } = field
  const create = /^(.+)Create$/.exec(owner)?.[1]
  const update = /^(.+)Update$/.exec(owner)?.[1]
  const own = fieldSentences[owner]?.[key]
  // A request's field means what that of the resource means.
  const ofResource = () => fieldSentences[create ?? update ?? '']?.[key]
  const ofKind = create ? ofCreate : update ? ofUpdate : {}
  return own ?? ofResource() ?? ofKind[key] ?? shared[key] ?? selector(field)
}
