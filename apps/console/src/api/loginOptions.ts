/** How the users of a silo sign in. */
import { loginOptions } from '@purlin/contract/operations/access/sessions'
import { useEffect, useState } from 'react'
import type { Result } from '@purlin/contract/op'
import type { NamedProvider } from '#/lib/addresses.ts'
import { ApiError, send } from './send.ts'

type Options = Result<typeof loginOptions> | 'loading' | 'missing' | 'unreachable'

/** How the users of a silo sign in; `missing` if there is no such silo. */
export function useLoginOptions(silo: string): Options {
  const [options, setOptions] = useState<Options>('loading')
  useEffect(() => {
    let isHere = true
    const take = (found: Options) => {
      if (isHere) setOptions(found)
    }
    send(loginOptions, { params: { siloName: silo } })
      .then(take)
      .catch((error: unknown) =>
        take(error instanceof ApiError && error.status === 404 ? 'missing' : 'unreachable'),
      )
    return () => void (isHere = false)
  }, [silo])
  return options
}

/** The address that leads to an identity provider. Slashes of the way back stay as they are. */
export function providerSignIn(
  silo: string,
  { name, protocol }: NamedProvider,
  target: string | undefined,
): string {
  const query =
    target === undefined ? '' : `?redirect_uri=${encodeURIComponent(target).replaceAll('%2F', '/')}`
  return `/login/${encodeURIComponent(silo)}/${protocol}/${encodeURIComponent(name)}/redirect${query}`
}
