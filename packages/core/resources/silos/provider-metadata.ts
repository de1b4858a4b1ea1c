/** When the metadata of identity providers of any protocol is read. */
import { limits } from '@purlin/contract/rules/limits'

const dayMs = 24 * 60 * 60_000

/** The columns about metadata that has been read. It is read again every day. */
export const readColumns = (now: number) => ({ timeRead: now, timeDue: now + dayMs, failure: null })

/** The columns about metadata that could not be read: it is requested again sooner. */
export const failedColumns = (now: number, reason: string) => ({
  timeDue: now + dayMs / 24,
  failure: reason.slice(0, limits.saml.text),
})
