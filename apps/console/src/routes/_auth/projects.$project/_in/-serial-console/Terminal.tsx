/** The terminal itself. Import it lazily: it is the heaviest part of the page. */
import '@xterm/xterm/css/xterm.css'
import { FitAddon } from '@xterm/addon-fit'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { Terminal as Xterm } from '@xterm/xterm'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useTheme } from '../../../../../ui/useTheme.ts'
import type { Screen } from './ConsoleSession.ts'
import { terminalTheme } from './terminalTheme.ts'
import { bytesOf, encode, linesOf } from './typing.ts'

/** What the page may ask of the terminal. */
export interface TerminalHandle {
  focus(): void
  scrollToTop(): void
  scrollToBottom(): void
  selection(): string
  paste(text: string): void
}

export interface TerminalProps {
  /** Accessible name. */
  label: string
  /** Keys are taken; otherwise the terminal only shows. */
  isLive: boolean
  onReady: (screen: Screen | undefined) => void
  onType: (bytes: Uint8Array) => void
  /** Text with several lines is about to be pasted into a guest that would take each line as entered. */
  onPasteLines: (text: string, lines: number) => void
  onSelection: (isAny: boolean) => void
  /** Ctrl-Shift-C was pressed over a selection. */
  onCopy: (text: string) => void
  /** The person asks out by keyboard: every other key belongs to the guest. */
  onLeave: () => void
  ref?: Ref<TerminalHandle>
}

const scrollback = 5000

function makeTerminal(): { term: Xterm; fit: FitAddon } {
  const term = new Xterm({
    allowProposedApi: true,
    convertEol: false,
    cursorBlink: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
    fontFamily: "'JetBrains Mono Variable', ui-monospace, monospace",
    fontSize: 13,
    lineHeight: 1.25,
    // Programs choose colours for other backgrounds than ours.
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
    scrollback,
  })
  const fit = new FitAddon()
  term.loadAddon(fit)
  term.loadAddon(new UnicodeGraphemesAddon())
  return { term, fit }
}

/** True for the key that leads out of the terminal. */
const isLeaveKey = ({ key, ctrlKey, metaKey }: KeyboardEvent) => key === 'F6' && (ctrlKey || metaKey)
const isCopyKey = ({ code, ctrlKey, shiftKey }: KeyboardEvent) => code === 'KeyC' && ctrlKey && shiftKey

/** Keeps the terminal as large as its box; returns what ends that. */
function keepFitted(box: HTMLElement, fit: FitAddon): () => void {
  let frame = 0
  const observer = new ResizeObserver(() => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => {
      if (box.clientWidth > 0 && box.clientHeight > 0) fit.fit()
    })
  })
  observer.observe(box)
  return () => {
    cancelAnimationFrame(frame)
    observer.disconnect()
  }
}

export function Terminal(props: TerminalProps) {
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  const [{ term, fit }] = useState(makeTerminal)
  useEffect(() => {
    const element = box.current
    if (!element) return
    term.attachCustomKeyEventHandler((event) => {
      if (isLeaveKey(event)) {
        if (event.type === 'keydown') latest.current.onLeave()
        return false
      }
      if (!isCopyKey(event) || !term.hasSelection()) return true
      event.preventDefault()
      if (event.type === 'keydown') latest.current.onCopy(term.getSelection())
      return false
    })
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? ''
      // A guest that knows bracketed paste asks before it runs anything; others run every line at once.
      if (linesOf(text) < 2 || term.modes.bracketedPasteMode || !latest.current.isLive) return
      event.preventDefault()
      event.stopPropagation()
      latest.current.onPasteLines(text, linesOf(text))
    }
    element.addEventListener('paste', paste, true)
    const subscriptions = [
      term.onData((text) => latest.current.onType(encode(text))),
      term.onBinary((text) => latest.current.onType(bytesOf(text))),
      term.onSelectionChange(() => latest.current.onSelection(term.hasSelection())),
    ]
    term.open(element)
    const unfit = keepFitted(element, fit)
    latest.current.onReady({ write: (bytes) => term.write(bytes), reset: () => term.reset() })
    return () => {
      latest.current.onReady(undefined)
      unfit()
      element.removeEventListener('paste', paste, true)
      for (const one of subscriptions) one.dispose()
      term.dispose()
    }
  }, [term, fit])

  const theme = useTheme()
  useEffect(() => {
    term.options.theme = terminalTheme(theme)
  }, [term, theme])
  useEffect(() => {
    term.options.disableStdin = !props.isLive
  }, [term, props.isLive])
  useImperativeHandle(
    props.ref,
    () => ({
      focus: () => term.focus(),
      scrollToTop: () => term.scrollToTop(),
      scrollToBottom: () => term.scrollToBottom(),
      selection: () => term.getSelection(),
      paste: (text) => term.paste(text),
    }),
    [term],
  )
  return (
    <div role="application" aria-label={props.label} className="size-full overflow-hidden p-3">
      <div ref={box} className="size-full" />
    </div>
  )
}
