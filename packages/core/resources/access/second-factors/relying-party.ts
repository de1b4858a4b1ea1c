/** The control plane as authenticators see it (a relying party of Web Authentication). Decision 0079. */
import { ipProblem } from '@purlin/contract/rules/network/ip'
import type { RequestContext, World } from '#/context.ts'
import type { SecondFactorTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import type { PasskeyExpectation, Passkeys, SecondFactors } from '#/ports.ts'

/** The host name and the origin of the page that a request comes from. */
export function relyingParty({
  origin,
}: Pick<RequestContext, 'origin'>): Omit<PasskeyExpectation, 'challenge'> {
  const lower = origin.toLowerCase()
  return { origin: lower, rpId: lower.replace(/^https?:\/\//, '').replace(/:\d+$/, '') }
}

/** The passkeys among factors that are for a host: browsers use no others there. */
export const passkeysFor = (factors: readonly SecondFactorTable[], host: string): SecondFactorTable[] =>
  factors.filter((one) => one.type === 'passkey' && one.host === host)

/** The port. Throws 503 where there is none. */
export function factorsPort({ secondFactors }: World): SecondFactors {
  if (!secondFactors) throw fault.unavailable('this server has no second factors')
  return secondFactors
}

/** The reason why a host can have no passkeys, for people; undefined if it can. */
export function passkeyProblem(world: World, host: string): string | undefined {
  const { passkeys } = factorsPort(world)
  if (typeof passkeys === 'string') return passkeys
  const isAddress = host.startsWith('[') || ipProblem(host) === undefined
  return isAddress ? 'passkeys need the name of a host: use the console by its name' : undefined
}

/** The port for passkeys. Throws 400 where there are none. */
export function passkeysOf(world: World, host: string): Passkeys {
  const { passkeys } = factorsPort(world)
  const problem = passkeyProblem(world, host)
  if (problem !== undefined || typeof passkeys === 'string') throw fault.invalidValue('type', problem ?? '')
  return passkeys
}

/** The question to authenticators about the passkeys of a user on a host. */
export const questionOf = (challenge: string, host: string, factors: readonly SecondFactorTable[]) => ({
  challenge,
  host,
  credentialIds: passkeysFor(factors, host).flatMap(({ credential }) => credential ?? []),
})
