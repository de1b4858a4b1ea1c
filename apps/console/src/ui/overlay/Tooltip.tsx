import {
  cloneElement,
  isValidElement,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import type { Placement } from '#/lib/geometry/floatingPosition.ts'
import { cx } from '#/lib/text.ts'
import { useFloating } from './useFloating.ts'

/** A text that appears next to its child on hover (250 ms) and on keyboard focus. */
export interface TooltipProps {
  content: ReactNode
  children: ReactNode
  delay?: number
  placement?: Placement
  /** Link the text to the child as its description. Switch off where the text only repeats the child. */
  describes?: boolean
  /** Keep it from showing, for instance while a text is not cut. */
  isOff?: boolean
  className?: string
  /** Inside a menu the role 'tooltip' is not allowed; the description works without it. */
  inMenu?: boolean
  /** Called just before it shows, so that a measurement can prevent it. */
  canOpen?: () => boolean
}

interface Opening {
  delay: number
  canOpen: () => boolean
}

// 'hover' and 'focus' are kept apart because Escape belongs to a tooltip only when the keyboard opened it.
function useOpening({ delay, canOpen }: Opening) {
  const [by, setBy] = useState<'hover' | 'focus' | undefined>()
  const timer = useRef<number | undefined>(undefined)
  const close = () => {
    window.clearTimeout(timer.current)
    setBy(undefined)
  }
  useEffect(() => () => window.clearTimeout(timer.current), [])
  useEffect(() => {
    if (!by) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      if (by === 'focus') event.stopPropagation()
      setBy(undefined)
    }
    const onPress = () => setBy(undefined)
    document.addEventListener('keydown', onKey, true)
    document.addEventListener('pointerdown', onPress, true)
    return () => {
      document.removeEventListener('keydown', onKey, true)
      document.removeEventListener('pointerdown', onPress, true)
    }
  }, [by])
  const open = (how: 'hover' | 'focus') => canOpen() && setBy((now) => now ?? how)
  return {
    isOpen: by !== undefined,
    handlers: {
      onPointerEnter: (event: React.PointerEvent) => {
        if (event.pointerType === 'touch') return
        window.clearTimeout(timer.current)
        timer.current = window.setTimeout(() => open('hover'), delay)
      },
      onPointerLeave: close,
      onFocus: (event: React.FocusEvent) => {
        if (event.target.matches(':focus-visible')) open('focus')
      },
      onBlur: close,
    },
  }
}

const describe = (child: ReactNode, id: string): ReactNode => {
  if (!isValidElement(child)) return child
  const element = child as ReactElement<{ 'aria-describedby'?: string | undefined }>
  const ids = [element.props['aria-describedby'], id].filter(Boolean).join(' ')
  return cloneElement(element, { 'aria-describedby': ids })
}

/** Shows a text next to its child; see {@link TooltipProps}. The child must pass `aria-describedby` on. */
export function Tooltip({
  content,
  children,
  delay = 250,
  placement = 'top',
  describes = true,
  isOff = false,
  inMenu = false,
  className,
  canOpen = () => true,
}: TooltipProps) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const { isOpen, handlers } = useOpening({ delay, canOpen })
  const isShown = isOpen && !isOff
  const box = useFloating<HTMLSpanElement>({ isOpen: isShown, anchor, placement, gap: 0 })
  const isLinked = describes && !isOff
  return (
    <span ref={anchor} className={cx('inline-flex max-w-full min-w-0', className)} {...handlers}>
      {isLinked ? describe(children, id) : children}
      {(isLinked || isShown) && (
        // The 12 px of distance are padding, so the text stays open while the pointer moves onto it.
        <span
          ref={box}
          id={id}
          role={inMenu ? undefined : 'tooltip'}
          popover="manual"
          className="max-w-[26rem] p-3 text-left font-sans text-hint font-normal tracking-normal whitespace-normal normal-case"
        >
          <span className="floating-box block px-2.5 py-1.5 text-ink animate-appear">{content}</span>
        </span>
      )}
    </span>
  )
}
