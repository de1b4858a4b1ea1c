/** The limits of the contract as the OpenAPI document shows them. */
import { countNames, sessionsOfUser } from '@purlin/contract/rules/counts'
import { kinds } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import { snake } from '@purlin/contract/wire'

type Json = Record<string, unknown>

/**
 * All of them: how many of each kind there may be unless the operator sets others with `--limits`, by the names that
 * the operator uses, and the limits of requests.
 */
export const allLimits: Json = {
  counts: Object.fromEntries(countNames.map(({ name, most }) => [name, most])),
  sessions_per_user: sessionsOfUser,
  requests: inSnakeCase(limits),
}

function inSnakeCase(value: object): Json {
  const entries = Object.entries(value).map(([key, inner]: [string, unknown]) => {
    const isGroup = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    return [snake(key), isGroup ? inSnakeCase(inner) : inner] as const
  })
  return Object.fromEntries(entries)
}

/** The description of the limits of a created kind: `At most 500 per VPC; one more is answered 507.` */
export function limitsOfCreate(operation: string): string | undefined {
  const name = operation.toLowerCase()
  const created = Object.keys(kinds).filter((kind) => name.endsWith(`${kind.toLowerCase()}create`))
  const [kind] = created.toSorted((a, b) => b.length - a.length)
  const most = countNames.filter((one) => one.kind === kind)
  if (most.length === 0) return undefined
  const each = most.map((one) => `${one.most} per ${kinds[one.holder].noun}`)
  return `At most ${each.join(' and ')}, unless the operator sets other limits; one more is answered 507.`
}
