import type { ReactNode } from 'react'
import { errorMessage } from '#/api/errors.ts'
import type { usePicker } from './usePicker.ts'

/** The missing part of the users and groups in a field, or else `children`. */
export function PickerHint({
  picker: { cutAt, more },
  error,
  focus,
  children,
}: {
  picker: Pick<ReturnType<typeof usePicker>, 'cutAt' | 'more'>
  error: unknown
  /** Moves the focus to the field: the button goes once all are offered. */
  focus: () => void
  children?: ReactNode
}) {
  if (error) return <>Could not load some users and groups: {errorMessage(error)}</>
  if (cutAt === undefined) return children
  return (
    <>
      The first {cutAt} that match are offered. Type more of the name
      {more ? (
        <>
          , or{' '}
          <button
            type="button"
            onClick={() => {
              focus()
              more()
            }}
            className="text-accent-text underline underline-offset-2"
          >
            offer more
          </button>
        </>
      ) : null}
      .
    </>
  )
}
