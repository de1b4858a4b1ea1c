import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Role } from '@purlin/contract/rules/roles'
import { errorMessage } from '#/api/errors.ts'
import { invalidate, type Read } from '#/api/query.ts'
import type { OpShape } from '@purlin/contract/op'
import { roleScope } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { useNow } from '#/ui/value/useNow.ts'
import { addressLot } from '../kinds.ts'

interface Props {
  until: Date
  /** It is read again once the time has passed. */
  read: Read<unknown>
  view: OpShape
  confirm: () => Promise<unknown>
  role: Role | undefined
  words: { title: string; hint: string; keep: string; kept: string }
}

/**
 * Says so when a change that was seen waiting has been taken back: it is gone, and its time had passed. One that is gone
 * before that was kept, here or by another operator.
 */
export function useTakenBack(until: Date | null | undefined, what: string): void {
  const seen = useRef<number>(undefined)
  useEffect(() => {
    if (until) seen.current = until.getTime()
    else if (until === null && seen.current !== undefined) {
      if (Date.now() >= seen.current)
        addToast({
          variant: 'error',
          title: `${what} was taken back`,
          content: 'It was not kept in time. Everything is as it was before it.',
          timeout: null,
        })
      seen.current = undefined
    }
  }, [until, what])
}

/** Says when a change is taken back, and keeps it. */
export function Waiting({ until, read, view, confirm, role, words }: Props) {
  const seconds = Math.max(0, Math.ceil((until.getTime() - useNow(true)) / 1000))
  const { lacks } = useRole(...roleScope(addressLot, {}))
  // The former state comes back without a request from here.
  useQuery({ ...read, refetchInterval: seconds === 0 ? 2000 : false, throwOnError: false })
  const keep = async () => {
    try {
      await confirm()
      addToast({ content: words.kept })
    } catch (error) {
      addToast({ variant: 'error', title: 'Could not keep it', content: errorMessage(error) })
    }
    await invalidate(view)
  }
  return (
    <Notice title={<span role="timer">{`${words.title} in ${seconds} s`}</span>}>
      <p className="mb-2 text-secondary">{words.hint}</p>
      <Button size="small" variant="primary" disabledReason={role && lacks(role)} onClick={() => void keep()}>
        {words.keep}
      </Button>
    </Notice>
  )
}
