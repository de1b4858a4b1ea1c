import { ApiError } from '@purlin/contract/client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { failure } from '#/api/errors.ts'
import { loadToEdit, type Read } from '#/api/query.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { Modal, ModalSection } from '#/ui/overlay/Modal.tsx'
import { SideModal } from '#/ui/overlay/SideModal.tsx'

declare const readNow: unique symbol

/**
 * Values that were read when their dialog opened. A dialog of changes takes these, because a row of a list may be older
 * than the last change by another user. Only LoadToEdit makes them.
 */
export type Fresh<T> = T & { readonly [readNow]: true }

interface LoadToEditProps<T, R> {
  /** The title of the dialog. */
  title: string
  read: Read<T>
  /** Finds the row in an answer that has several; the answer itself unless given. */
  find?: (answer: T) => R | undefined
  /** The dialog is a side modal. */
  isPanel?: boolean
  onDismiss: () => void
  children: (row: Fresh<R>) => ReactNode
}

/** Most answers come sooner. The dialog then appears once, with its values. */
const lateMs = 150

/** Reads the values of a dialog of changes when it opens, once. Later changes do not replace them. */
export function LoadToEdit<T, R = T>(props: LoadToEditProps<T, R>) {
  const { title, read, find = (answer: T) => answer as unknown as R, onDismiss, children } = props
  const opening = useId()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['to edit', opening, read.queryKey],
    queryFn: async () => ({ row: find(await loadToEdit('enter', read)) }),
    staleTime: 'static',
    gcTime: 0,
    throwOnError: false,
  })
  const isLate = useIsLate()
  useFocusBack()
  if (data?.row !== undefined) return children(data.row as Fresh<R>)
  const isGone = data !== undefined || (error instanceof ApiError && error.status === 404)
  if (!isGone && !error && !isLate) return null
  const footer = (
    <>
      <Button onClick={onDismiss}>{isFetching ? 'Cancel' : 'Close'}</Button>
      {error && !isGone && (
        <Button variant="primary" pending={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      )}
    </>
  )
  const content = isGone ? (
    <p>It has been deleted, or you can no longer see it.</p>
  ) : error ? (
    <FormErrorBanner issues={[failure(error)]} />
  ) : (
    <Loading />
  )
  return props.isPanel ? (
    <SideModal title={title} onDismiss={onDismiss} footer={footer}>
      {content}
    </SideModal>
  ) : (
    <Modal title={title} onDismiss={onDismiss} footer={footer}>
      <ModalSection>{content}</ModalSection>
    </Modal>
  )
}

function Loading() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4">
      {['w-24', 'w-40'].map((width) => (
        <div key={width} className="flex flex-col gap-2">
          <Skeleton className={`h-2.5 ${width}`} />
          <Skeleton className="h-8 w-full" />
        </div>
      ))}
    </div>
  )
}

function useIsLate(): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), lateMs)
    return () => window.clearTimeout(timer)
  }, [])
  return isLate
}

/** Gives the focus back at the end. A dialog that replaces the one that waited does not know where it was before both. */
function useFocusBack(): void {
  useEffect(() => {
    const opener = document.activeElement
    const giveBack = () => {
      if (document.activeElement === document.body && opener instanceof HTMLElement)
        opener.focus({ preventScroll: true })
    }
    // The dialog looks for its own a frame later.
    return () => void requestAnimationFrame(() => requestAnimationFrame(giveBack))
  }, [])
}
