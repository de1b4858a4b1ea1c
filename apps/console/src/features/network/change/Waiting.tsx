import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
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
  rollBack: () => Promise<unknown>
  role: Role | undefined
  words: { title: string; hint: string; keep: string; kept: string; takenBack: string }
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

/** Says when a change is taken back, and keeps it or takes it back at once. */
export function Waiting({ until, read, view, confirm, rollBack, role, words }: Props) {
  const [pending, setPending] = useState<'keep' | 'back'>()
  const seconds = Math.max(0, Math.ceil((until.getTime() - useNow(true)) / 1000))
  const { lacks } = useRole(...roleScope(addressLot, {}))
  // The former state comes back without a request from here.
  useQuery({ ...read, refetchInterval: seconds === 0 ? 2000 : false, throwOnError: false })
  const disabledReason = role && lacks(role)
  const end = async (how: 'keep' | 'back') => {
    setPending(how)
    try {
      await (how === 'keep' ? confirm() : rollBack())
      addToast({ content: how === 'keep' ? words.kept : words.takenBack })
    } catch (error) {
      const title = how === 'keep' ? 'Could not keep it' : 'Could not take it back'
      addToast({ variant: 'error', title, content: errorMessage(error) })
    }
    await invalidate(view)
    setPending(undefined)
  }
  return (
    <Notice title={<span role="timer">{`${words.title} in ${seconds} s`}</span>}>
      <p className="mb-2 text-secondary">{words.hint}</p>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          variant="primary"
          disabledReason={disabledReason}
          pending={pending === 'keep'}
          onClick={() => void end('keep')}
        >
          {words.keep}
        </Button>
        <Button
          size="small"
          disabledReason={disabledReason}
          pending={pending === 'back'}
          onClick={() => void end('back')}
        >
          Take it back
        </Button>
      </div>
    </Notice>
  )
}
