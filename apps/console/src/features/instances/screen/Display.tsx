import RFB from '@novnc/novnc'
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import type { Screen } from '../serial-console/ConsoleSession.ts'
import { Channel } from './channel.ts'
import { press, releaseModifiers, type SendKey } from './keys.ts'

export interface DisplayHandle {
  focus(): void
  /** Presses keys together. */
  press(codes: readonly string[]): void
  send: SendKey
}

export interface DisplayProps {
  /** The accessible name. */
  label: string
  isLive: boolean
  /** Nothing is sent to the machine. */
  viewOnly: boolean
  /** As large as there is room for, instead of pixel by pixel. */
  isScaled: boolean
  onReady: (screen: Screen | undefined) => void
  onType: (bytes: Uint8Array) => void
  /** The person asks out by keyboard: every other key belongs to the guest. */
  onLeave: () => void
  ref?: Ref<DisplayHandle>
}

/** True for the key that leads out of the screen. */
const isLeaveKey = ({ key, ctrlKey, metaKey }: KeyboardEvent) => key === 'F6' && (ctrlKey || metaKey)

/** A connection to the screen, and what draws it into a box. */
interface Live {
  rfb: RFB
  channel: Channel
}

function connect(box: HTMLElement, { onType, viewOnly, isScaled, label }: DisplayProps): Live {
  const channel = new Channel(onType)
  const rfb = new RFB(box, channel, { shared: true })
  rfb.viewOnly = viewOnly
  rfb.scaleViewport = isScaled
  rfb.background = 'transparent'
  rfb.addEventListener('connect', () => {
    const canvas = box.querySelector('canvas')
    canvas?.setAttribute('role', 'application')
    canvas?.setAttribute('aria-label', label)
    if (canvas) canvas.tabIndex = 0
  })
  return { rfb, channel }
}

/** The screen of a machine. It has the keyboard while it has the focus. */
export function Display(props: DisplayProps) {
  const { isLive, viewOnly, isScaled, onReady, onLeave, ref } = props
  const box = useRef<HTMLDivElement>(null)
  const live = useRef<Live>(undefined)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  const send: SendKey = (keysym, code, isDown) => live.current?.rfb.sendKey(keysym, code, isDown)
  const focus = () => live.current?.rfb.focus({ preventScroll: true })

  useEffect(() => {
    const end = () => {
      live.current?.rfb.disconnect()
      live.current = undefined
    }
    onReady({
      reset: () => {
        end()
        if (box.current) live.current = connect(box.current, latest.current)
      },
      write: (bytes) => live.current?.channel.receive(bytes),
      live: () => undefined,
    })
    return () => {
      onReady(undefined)
      end()
    }
  }, [onReady])
  useEffect(() => {
    if (!isLive) live.current?.rfb.disconnect()
    if (!isLive) live.current = undefined
  }, [isLive])
  useEffect(() => {
    if (!live.current) return
    live.current.rfb.viewOnly = viewOnly
    live.current.rfb.scaleViewport = isScaled
  }, [viewOnly, isScaled])
  useImperativeHandle(ref, () => ({
    focus,
    send,
    press: (codes) => {
      press(send, codes)
      focus()
    },
  }))

  const leave = (event: KeyboardEvent) => {
    if (!isLeaveKey(event)) return
    event.preventDefault()
    event.stopPropagation()
    if (!viewOnly) releaseModifiers(send)
    onLeave()
  }
  return (
    <div
      ref={box}
      onKeyDownCapture={leave}
      className="absolute inset-0 outline-offset-[-2px] focus-within:outline-2 focus-within:outline-accent"
    />
  )
}
