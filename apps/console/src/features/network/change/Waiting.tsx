import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Role } from '@purlin/contract/rules/roles'
import { invalidate, type Read } from '#/api/query.ts'
import type { OpShape } from '@purlin/contract/op'
import type { ApiRequest } from '#/api/request.ts'
import { serverNow } from '#/lib/clock.ts'
import { RequestButton } from '#/resource/command/RequestButton.tsx'
import { roleScope } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { useNow } from '#/ui/value/useNow.ts'
import { addressLot } from '../kinds.ts'

interface Props {
  until: Date
  /** It is read again once the time has passed. */
  read: Read<unknown>
  view: OpShape
  confirm: ApiRequest
  rollBack: ApiRequest
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
      if (serverNow() >= seen.current)
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
  const seconds = Math.max(0, Math.ceil((until.getTime() - useNow(true)) / 1000))
  const { lacks } = useRole(...roleScope(addressLot, {}))
  // The former state comes back without a request from here.
  useQuery({ ...read, refetchInterval: seconds === 0 ? 2000 : false, throwOnError: false })
  const disabledReason = role && lacks(role)
  const shared = { size: 'small', disabledReason, reload: () => invalidate(view) } as const
  return (
    <Notice title={<span role="timer">{`${words.title} in ${seconds} s`}</span>}>
      <p className="mb-2 text-secondary">{words.hint}</p>
      <div className="flex flex-wrap gap-2">
        <RequestButton
          {...shared}
          variant="primary"
          request={confirm}
          of={words.keep}
          done={() => ({ content: words.kept })}
          errorTitle="Could not keep it"
        >
          {words.keep}
        </RequestButton>
        <RequestButton
          {...shared}
          request={rollBack}
          of="Take it back"
          done={() => ({ content: words.takenBack })}
          errorTitle="Could not take it back"
        >
          Take it back
        </RequestButton>
      </div>
    </Notice>
  )
}
