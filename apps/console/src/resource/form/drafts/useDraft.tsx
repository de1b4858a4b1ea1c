import { useParams } from '@tanstack/react-router'
import { useRef, type ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { lazily } from '#/lib/lazily.tsx'
import type { DraftOf } from './drafts.ts'
import type { SendState } from './OfferedDraft.tsx'

const OfferedDraft = lazily(() => import('./OfferedDraft.tsx'), 'OfferedDraft')

/** The draft of a form: the name of its fields in the table of those that are kept, or more. */
export type DraftName = string | NamedDraft
interface NamedDraft {
  form: string
  /** The place of a form that any address may show: the id of its resource. That of the address unless given. */
  place?: string
  /** The form changes something: only the fields that differ from its present values are kept. */
  isChange?: boolean
}

/** The answer of a form that has sent nothing yet, for instance because its change is reviewed first: its draft stays. */
export const notSent = Symbol('not sent')

/**
 * Drafts of a form; of no form without a name. The page works without them, so that they are loaded after it.
 * `sending` runs what the form does, after which the draft is forgotten.
 */
export function useDraft<V extends FieldValues>(
  name: DraftName | undefined,
  form: UseFormReturn<V>,
): { offer: ReactNode; sending: (send: (values: V) => Promise<unknown>) => (values: V) => Promise<void> } {
  const params: Record<string, string | undefined> = useParams({ strict: false })
  const stateRef = useRef<SendState>('open')
  const named = typeof name === 'string' ? { form: name } : name
  const {
    form: kept,
    isChange = false,
    place = Object.values(params).join('/'),
  }: Partial<NamedDraft> = named ?? {}
  const of: DraftOf | undefined = kept === undefined ? undefined : { form: kept, place }
  const sending = (send: (values: V) => Promise<unknown>) => async (values: V) => {
    stateRef.current = 'sending'
    try {
      if ((await send(values)) === notSent) {
        stateRef.current = 'open'
        return
      }
    } catch (error) {
      stateRef.current = 'open'
      throw error
    }
    stateRef.current = 'sent'
    if (of) void import('./drafts.ts').then(({ forgetDraft }) => forgetDraft(of))
  }
  const offer = of && (
    <OfferedDraft
      key={place}
      of={of}
      isChange={isChange}
      form={form as unknown as UseFormReturn}
      stateRef={stateRef}
    />
  )
  return { offer, sending }
}
