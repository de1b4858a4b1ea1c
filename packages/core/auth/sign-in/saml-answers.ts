/** The checks of an answer whose signature is valid: that it is from this provider, for this service, and for now. */
import { limits } from '@purlin/contract/rules/limits'
import { groupsFrom, subjectProblem } from './proven-names.ts'
import type { SamlAnswer, SamlConfirmation } from '#/ports.ts'
import type { Said } from './sign-in-tests.ts'

const { ageMs, skewMs } = limits.saml

/** The provider, the service and the time that an answer must fit. */
export interface Expected {
  /** The entity id of the provider. */
  issuer: string
  /** The entity id of the service. */
  audience: string
  acsUrl: string
  /** ms since 1970 */
  now: number
}

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** The reason for refusing an answer; undefined for one that is fine. */
export function answerProblem(answer: SamlAnswer, expected: Expected): string | undefined {
  const { assertion } = answer
  const { issuer, acsUrl, now } = expected
  if (assertion.issuer !== issuer) return otherThan('issuer', assertion.issuer, issuer)
  if (answer.responseIssuer !== undefined && answer.responseIssuer !== issuer)
    return otherThan('issuer of the response', answer.responseIssuer, issuer)
  if (answer.destination !== acsUrl) return otherThan('destination', answer.destination, acsUrl)
  return (
    audienceProblem(assertion.audiences, expected.audience) ??
    timeProblem(assertion, now) ??
    confirmationProblem(answer, expected) ??
    subjectProblem(assertion.subject, 'no subject in assertion')
  )
}

const otherThan = (part: string, found: string | undefined, expected: string): string =>
  found === undefined ? `no ${part} in the answer` : `the ${part} is not ${shortened(expected)}`

const shortened = (text: string): string => text.slice(0, limits.quoted)

function audienceProblem(audiences: readonly string[][], audience: string): string | undefined {
  if (audiences.length === 0) return 'no audience in the assertion'
  const isFor = audiences.every((some) => some.includes(audience))
  return isFor ? undefined : otherThan('audience', '', audience)
}

type Times = Pick<
  SamlAnswer['assertion'],
  'issueInstant' | 'notBefore' | 'notOnOrAfter' | 'sessionNotOnOrAfter'
>

function timeProblem(times: Times, now: number): string | undefined {
  const { issueInstant, sessionNotOnOrAfter } = times
  if (issueInstant === undefined) return 'no time of issue in the assertion'
  if (issueInstant > now + skewMs) return 'the assertion was issued in the future'
  if (issueInstant < now - ageMs - skewMs) return 'the assertion was issued too long ago'
  if (isOver(sessionNotOnOrAfter, now)) return 'the session at the identity provider is over'
  return validityProblem(times, now)
}

const isOver = (end: number | undefined, now: number): boolean => end !== undefined && end <= now - skewMs

function validityProblem(
  { notBefore, notOnOrAfter }: Pick<Times, 'notBefore' | 'notOnOrAfter'>,
  now: number,
): string | undefined {
  if (notBefore !== undefined && notBefore > now + skewMs) return 'the assertion is not valid yet'
  return isOver(notOnOrAfter, now) ? 'the assertion has expired' : undefined
}

/** One confirmation that fits is enough. */
function confirmationProblem(
  { assertion, inResponseTo }: SamlAnswer,
  { acsUrl, now }: Expected,
): string | undefined {
  const bearers = assertion.confirmations.filter(({ method }) => method === bearer)
  const problemOf = (one: SamlConfirmation): string | undefined => {
    if (one.recipient !== acsUrl) return otherThan('recipient', one.recipient, acsUrl)
    if (one.inResponseTo !== inResponseTo) return 'the assertion and the response name different requests'
    if (one.notOnOrAfter === undefined) return 'no end of validity of the confirmation'
    return validityProblem(one, now)
  }
  const problems = bearers.map(problemOf)
  if (problems.includes(undefined)) return undefined
  return problems[0] ?? 'no confirmation of the subject by bearer'
}

/** The groups in an answer: the values of the attribute, each split at commas. Null if there are too many or too long ones. */
export function groupsIn({ assertion }: SamlAnswer, attribute: string | null): string[] | null {
  return groupsFrom(assertion.attributes.flatMap(({ name, values }) => (name === attribute ? values : [])))
}

/** The content of an answer for people; `groups` is the attribute that names them. */
export function saidIn({ assertion }: SamlAnswer, groups: string | null): Said {
  const { issuer, subject, audiences, issueInstant, notBefore, notOnOrAfter, attributes } = assertion
  return {
    issuer: issuer ?? null,
    subject: subject ?? null,
    audiences: audiences.flat(),
    timeIssued: issueInstant ?? null,
    timeValidFrom: notBefore ?? null,
    timeValidUntil: notOnOrAfter ?? null,
    attributes: attributes.map(({ name, values }) => ({
      name,
      values,
      use: name === groups ? ('groups' as const) : null,
    })),
  }
}
