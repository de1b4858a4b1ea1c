/** Texts about the validity of a certificate. */
import { expiryStage } from '@purlin/contract/rules/credentials/certificates'
import { countOf } from '@purlin/contract/rules/kinds'
import type { BadgeTone } from '#/ui/value/Badge.tsx'

interface Validity {
  notBefore?: Date | undefined
  notAfter?: Date | undefined
}

const dayMs = 24 * 60 * 60_000

/** A word or two, and how urgent it is; undefined of servers that do not say when it expires. */
export function expiryOf(
  { notBefore, notAfter }: Validity,
  now: number,
): { text: string; tone: BadgeTone } | undefined {
  if (!notAfter) return undefined
  const stage = expiryStage(notAfter.getTime(), now)
  if (stage === 0) return { text: 'expired', tone: 'danger' }
  if (notBefore && notBefore.getTime() > now) return { text: 'not valid yet', tone: 'idle' }
  if (stage === undefined) return { text: 'valid', tone: 'ok' }
  const days = Math.floor((notAfter.getTime() - now) / dayMs)
  const text = days === 0 ? 'expires today' : `expires in ${countOf(days, 'day')}`
  return { text, tone: stage === 3 ? 'danger' : 'warn' }
}

/** The line about the certificates of a silo, if the one that expires last does so soon. */
export function expiryLine(
  notAfter: Date | undefined,
  now: number,
): { text: string; isUrgent: boolean } | undefined {
  const state = expiryOf({ notAfter }, now)
  if (!state || state.tone === 'ok') return undefined
  const text = `The TLS certificate of the silo ${state.text === 'expired' ? 'has ' : ''}${state.text}. Add a new one; this one can be deleted then.`
  return { text, isUrgent: state.tone === 'danger' }
}
