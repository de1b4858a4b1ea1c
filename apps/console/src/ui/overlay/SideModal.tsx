import type { LucideIcon } from 'lucide-react'
import X from 'lucide-react/icons/x'
import { type SubmitEvent, type ReactNode, useRef, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { cx } from '#/lib/text.ts'
import { IconButton } from '../button/IconButton.tsx'
import { Foot } from './Foot.tsx'
import { useFirstControl } from './useFirstControl.ts'

/** The 32rem panel at the right for creating, editing and viewing. With `onSubmit` its body and footer form one
 * form whose submit event never reaches a form outside. */
export interface SideModalProps {
  title: string
  /** The subject of the panel: an icon and a name under the title. */
  resource?: { icon: LucideIcon; name: ReactNode } | undefined
  /** Above the buttons, in sight wherever the form stands. */
  refusal?: ReactNode
  footer?: ReactNode
  /** Next to the panel in wide windows, at the end of its body in others. */
  aside?: { title: string; body: ReactNode } | undefined
  children: ReactNode
  /** Slide in. Only for a panel opened by a click in the app, never on page load or back. */
  animate?: boolean
  onDismiss: () => void
  onSubmit?: (event: SubmitEvent<HTMLFormElement>) => void
}

export function SideModal(props: SideModalProps) {
  const { animate = false, onDismiss } = props
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onDismiss()}
      data-scrim=""
      className="fixed inset-0 z-30 bg-scrim"
    >
      <Modal
        className={cx(
          'fixed inset-y-0 right-0 w-side-modal max-w-full border-l border-line bg-overlay shadow-overlay',
          animate && 'animate-slide-in',
        )}
      >
        <Dialog className="h-full outline-none">
          <Panel {...props} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function Panel({ title, resource, refusal, footer, aside, children, onDismiss, onSubmit }: SideModalProps) {
  const body = useRef<HTMLDivElement>(null)
  const [isScrolled, setScrolled] = useState(false)
  useFirstControl(body)
  const content = (
    <>
      <div
        ref={body}
        data-testid="sidemodal-scroll-container"
        onScroll={(event) => setScrolled(event.currentTarget.scrollTop > 0)}
        className={cx(
          'min-h-0 grow overflow-y-auto border-t px-6 pt-5 pb-8',
          isScrolled ? 'border-line' : 'border-transparent',
        )}
      >
        <div className="flex flex-col gap-[18px]">{children}</div>
        {aside && <Aside {...aside} />}
      </div>
      {footer && (
        <Foot refusal={refusal} className="px-6 py-3.5">
          {footer}
        </Foot>
      )}
    </>
  )
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    onSubmit?.(event)
  }
  return (
    <div className="relative flex h-full flex-col">
      <div className="px-6 pt-5 pr-16 pb-3.5">
        <Heading
          slot="title"
          level={2}
          className="text-lg leading-snug font-semibold tracking-[-0.005em] wrap-anywhere"
        >
          {title}
        </Heading>
        {resource && (
          <div className="mt-1 flex items-center gap-2 text-secondary [&>svg]:size-3.5">
            <resource.icon aria-hidden /> {resource.name}
          </div>
        )}
      </div>
      {onSubmit ? (
        <form noValidate autoComplete="off" onSubmit={submit} className="flex min-h-0 grow flex-col">
          {content}
        </form>
      ) : (
        content
      )}
      <IconButton label="Close" onClick={onDismiss} className="absolute top-4 right-5">
        <X size={16} />
      </IconButton>
    </div>
  )
}

/** Fixed next to the panel: it stays in sight while the body scrolls, and in the order of reading after it. */
const Aside = ({ title, body }: NonNullable<SideModalProps['aside']>) => (
  <section
    aria-label={title}
    className="mt-6 border-t border-line-faint pt-5 frame:fixed frame:inset-y-0 frame:right-side-modal frame:mt-0 frame:w-88 frame:overflow-y-auto frame:border-t-0 frame:border-l frame:border-line frame:bg-page frame:px-6"
  >
    <h3 className="mb-3 font-[550]">{title}</h3>
    {body}
  </section>
)
