/** Errors of the libraries, for people. */
import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'
import { messageOf } from '@purlin/databases/error-codes'
import { OidcRefused, OidcUnreachable } from '@purlin/core/ports'
import { NotFetched, oneLine } from '../webhooks/fetching.ts'

/** Throws OidcUnreachable if a request got no answer, OidcRefused for what is wrong with one. */
export function refuse(error: unknown): never {
  if (error instanceof OidcRefused) throw error
  const causes = causesOf(error)
  const failed = causes.find((one) => one instanceof NotFetched)
  if (failed) throw new OidcUnreachable(failed.message, { cause: error })
  throw new OidcRefused(oneLine(reasonOf(error, causes)), { cause: error })
}

function reasonOf(error: unknown, causes: readonly Error[]): string {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return `the provider says ${error.error}${error.error_description === undefined ? '' : `: ${error.error_description}`}`
  // The libraries put the precise one innermost.
  return causes.at(-1)?.message ?? messageOf(error)
}

/** The error and its causes, outermost first. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let one = error; one instanceof Error && !causes.includes(one); one = one.cause) causes.push(one)
  return causes
}
