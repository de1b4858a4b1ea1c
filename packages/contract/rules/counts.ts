/** How many of a kind there may be, as far as quotas do not count them. */
import { kinds, type KindName } from './kinds.ts'

/** What a kind is counted in. */
export type Holder = 'silo' | 'project' | 'vpc' | 'vpcRouter' | 'internetGateway' | 'siloUser'
/** The most in each of what holds a kind, or why no limit is needed. */
type Most = Readonly<Partial<Record<Holder, number>>> | { readonly unlimited: string }

const byOperators = { unlimited: 'only operators make them' }
const groups = { project: 1_000 }

/** Unless an operator sets others. A kind that is forgotten does not compile. */
export const counts = {
  silo: byOperators,
  siloUser: byOperators,
  siloGroup: byOperators,
  ipPool: byOperators,
  sshKey: { siloUser: 1_000 },
  certificate: { silo: 100 },
  project: { silo: 5_000 },
  instance: { project: 10_000, silo: 50_000 },
  networkInterface: { unlimited: 'an instance has few of them, see `limits.instance`' },
  disk: { project: 20_000, silo: 100_000 },
  floatingIp: { project: 1_000, silo: 5_000 },
  image: { project: 1_000, silo: 5_000 },
  snapshot: { project: 20_000, silo: 100_000 },
  vpc: { project: 500, silo: 10_000 },
  vpcSubnet: { vpc: 500 },
  vpcRouter: { vpc: 200 },
  vpcRouterRoute: { vpcRouter: 1_000 },
  vpcFirewallRule: { unlimited: 'they are replaced as a whole, see `limits.firewall`' },
  internetGateway: { vpc: 200 },
  internetGatewayIpPool: { internetGateway: 100 },
  internetGatewayIpAddress: { internetGateway: 1_000 },
  affinityGroup: groups,
  antiAffinityGroup: groups,
} as const satisfies Record<KindName, Most>

/** Sessions of a user. One more ends the one that has not been used for the longest time. */
export const sessionsOfUser = 50

/** SCIM tokens of a silo. */
export const scimTokensOfSilo = 100

/** Access tokens of a user. */
export const accessTokensOfUser = 100

export type Counts = Readonly<Record<KindName, Most>>

/** The limits of a kind, by what holds it. */
export const holdersOf = (all: Counts, kind: KindName): [Holder, number][] => {
  const most = all[kind]
  return 'unlimited' in most ? [] : (Object.entries(most) as [Holder, number][])
}

const dashed = (word: string) => word.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** `vpc-per-project`: how operators name the limits that they can set. */
export const countNames = (Object.keys(kinds) as KindName[]).flatMap((kind) =>
  holdersOf(counts, kind).map(([holder, most]) => ({
    name: `${dashed(kind)}-per-${dashed(holder).replace('silo-user', 'user')}`,
    kind,
    holder,
    most,
  })),
)

/**
 * The limits with those replaced that a text such as `vpc-per-project=20,instance-per-silo=500` names. Throws an Error
 * for people.
 */
export function readCounts(text: string): Counts {
  const all: Record<string, Most> = { ...counts }
  for (const part of text === '' ? [] : text.split(',')) {
    const [name = '', value = ''] = part.trim().split('=')
    const known = countNames.find((one) => one.name === name)
    if (!known) throw new Error(`"${name}" is none of ${countNames.map((one) => one.name).join(', ')}`)
    if (!/^\d{1,9}$/.test(value))
      throw new Error(`${name} must be a whole number, such as ${name}=${known.most}`)
    all[known.kind] = { ...all[known.kind], [known.holder]: Number(value) }
  }
  return all as Counts
}
