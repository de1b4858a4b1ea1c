import { useParams } from '@tanstack/react-router'
import { useRef, type ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { lazily } from '#/lib/lazily.tsx'
import type { DraftOf } from './drafts.ts'
import type { SendState } from './OfferedDraft.tsx'

const OfferedDraft = lazily(() => import('./OfferedDraft.tsx'), 'OfferedDraft')

/**
 * Drafts of a create form; of no form without a name. The page works without them, so that they are loaded after it.
 * `sending` runs what creates the resource, after which the draft is forgotten.
 */
export function useDraft<V extends FieldValues>(
  name: string | undefined,
  form: UseFormReturn<V>,
): { offer: ReactNode; sending: (send: (values: V) => Promise<unknown>) => (values: V) => Promise<void> } {
  const params: Record<string, string | undefined> = useParams({ strict: false })
  const stateRef = useRef<SendState>('open')
  const place = Object.values(params).join('/')
  const of: DraftOf | undefined = name === undefined ? undefined : { form: name, place }
  const sending = (send: (values: V) => Promise<unknown>) => async (values: V) => {
    stateRef.current = 'sending'
    try {
      await send(values)
    } catch (error) {
      stateRef.current = 'open'
      throw error
    }
    stateRef.current = 'sent'
    if (of) void import('./drafts.ts').then(({ forgetDraft }) => forgetDraft(of))
  }
  const offer = of && (
    <OfferedDraft key={place} of={of} form={form as unknown as UseFormReturn} stateRef={stateRef} />
  )
  return { offer, sending }
}
