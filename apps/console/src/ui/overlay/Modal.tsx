import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal as Frame, ModalOverlay } from 'react-aria-components/Modal'
import { cx } from '#/lib/text.ts'
import { Foot } from './Foot.tsx'
import { IconButton } from '../button/IconButton.tsx'

/** 24rem, 28rem, or between 24rem and 48rem as the content asks. */
export type ModalWidth = 'narrow' | 'medium' | 'free'
const widths: Record<ModalWidth, string> = {
  narrow: 'w-96',
  medium: 'w-md',
  free: 'w-max min-w-96 max-w-3xl',
}

/** A centred dialog. Escape, 'Close' and a press outside dismiss it. */
export interface ModalProps {
  title: string
  width?: ModalWidth
  /** 'alertdialog' for a question that must be answered before going on. */
  role?: 'dialog' | 'alertdialog'
  /** Dims a side modal beneath it too, for a dialog that stays open for long. */
  dims?: boolean
  /** Above the buttons. */
  refusal?: ReactNode
  footer?: ReactNode
  children: ReactNode
  onDismiss: () => void
}

export function Modal(props: ModalProps) {
  const { title, width = 'medium', role = 'dialog', dims = false, children, onDismiss } = props
  const { refusal, footer } = props
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onDismiss()}
      {...(dims ? {} : { 'data-scrim': '' })}
      className="fixed inset-0 z-40 grid place-content-center bg-scrim p-4"
    >
      <Frame
        className={cx(
          'max-w-[calc(100vw-2rem)] rounded-lg border border-line bg-overlay shadow-overlay animate-drop-in',
          widths[width],
        )}
      >
        <Dialog role={role} className="relative flex max-h-[min(800px,80vh)] flex-col outline-none">
          <div className="border-b border-line-faint px-5 py-3.5 pr-14">
            <Heading slot="title" level={2} className="text-md font-semibold wrap-anywhere">
              {title}
            </Heading>
          </div>
          <div className="min-h-0 overflow-y-auto text-md">{children}</div>
          {footer && (
            <Foot refusal={refusal} className="px-5 py-3">
              {footer}
            </Foot>
          )}
          <IconButton label="Close" size="small" onClick={onDismiss} className="absolute top-3 right-3.5">
            <X size={15} />
          </IconButton>
        </Dialog>
      </Frame>
    </ModalOverlay>
  )
}

/** One section of a modal's body; sections are parted by a line. */
export function ModalSection({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className={cx('space-y-3 border-line-faint px-5 py-4 text-secondary not-first:border-t', className)}>
      {children}
    </div>
  )
}
