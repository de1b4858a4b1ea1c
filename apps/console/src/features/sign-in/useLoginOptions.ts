import { loginOptions } from '@purlin/contract/operations/access/sessions'
import { useEffect, useState } from 'react'
import type { Result } from '@purlin/contract/op'
import { ApiError, send } from '#/api/send.ts'

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
