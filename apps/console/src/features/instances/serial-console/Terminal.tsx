/** The terminal itself. Import it lazily: it is the heaviest part of the page. */
import '@xterm/xterm/css/xterm.css'
import { FitAddon } from '@xterm/addon-fit'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { Terminal as Xterm } from '@xterm/xterm'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { useTheme } from '#/ui/useTheme.ts'
import type { Screen } from './ConsoleSession.ts'
import { keysHintId } from './statusOf.ts'
import { terminalTheme } from './terminalTheme.ts'
import { bytesOf, encode, linesOf } from './typing.ts'

/** The interface of the terminal for the page. */
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
    // A guest at the end of a serial line never learns that the window has another size.
    reflowCursorLine: true,
    screenReaderMode: true,
    scrollback,
  })
  const fit = new FitAddon()
  term.loadAddon(fit)
  term.loadAddon(new UnicodeGraphemesAddon())
  return { term, fit }
}

/**
 * Text that comes without keys: a character palette, dictation. In its mode for screen readers the
 * terminal leaves it in the text box, where the guest never hears of it.
 */
function listenForText(element: HTMLElement, onText: (text: string) => void): () => void {
  const end = new AbortController()
  let isKeyDown = false
  const track = (event: Event) => (isKeyDown = event.type === 'keydown')
  element.addEventListener('keydown', track, { capture: true, signal: end.signal })
  element.addEventListener('keyup', track, { capture: true, signal: end.signal })
  // The key that leads out is let go elsewhere.
  element.addEventListener('focusout', track, { capture: true, signal: end.signal })
  const input = (event: Event) => {
    if (!(event instanceof InputEvent)) return
    const { inputType, data, isComposing } = event
    if (inputType === 'insertText' && data && !isComposing && !isKeyDown) onText(data)
  }
  element.addEventListener('input', input, { capture: true, signal: end.signal })
  return () => end.abort()
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

/**
 * The screen of a terminal. Earlier output may hold queries, such as for the position of the cursor. They were answered
 * when they were live; answers now would be input that no program in the guest waits for.
 */
function screenOf(
  term: Xterm,
  latest: { readonly current: TerminalProps },
): { screen: Screen; end: () => void } {
  let replays = 0
  let isLive = true
  const type = (bytes: Uint8Array) => {
    if (isLive) latest.current.onType(bytes)
  }
  const subscriptions = [
    term.onData((text) => type(encode(text))),
    term.onBinary((text) => type(bytesOf(text))),
  ]
  const screen: Screen = {
    write: (bytes) => term.write(bytes),
    reset: () => {
      replays += 1
      isLive = false
      term.reset()
    },
    live: () => {
      const replay = replays
      // Called when the terminal has read all earlier output.
      term.write('', () => {
        if (replay === replays) isLive = true
      })
    },
  }
  const end = () => {
    for (const one of subscriptions) one.dispose()
  }
  return { screen, end }
}

/**
 * Connects keys, pastes and selections of a terminal to the present listeners; returns a function that disconnects
 * them.
 */
function listen(term: Xterm, element: HTMLElement, latest: { readonly current: TerminalProps }): () => void {
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
    // A guest with bracketed paste asks before it runs anything; others run every line immediately.
    if (linesOf(text) < 2 || term.modes.bracketedPasteMode || !latest.current.isLive) return
    event.preventDefault()
    event.stopPropagation()
    latest.current.onPasteLines(text, linesOf(text))
  }
  element.addEventListener('paste', paste, true)
  const deafen = listenForText(element, (text) => {
    if (latest.current.isLive) latest.current.onType(encode(text))
  })
  const selection = term.onSelectionChange(() => latest.current.onSelection(term.hasSelection()))
  return () => {
    element.removeEventListener('paste', paste, true)
    deafen()
    selection.dispose()
  }
}

export function Terminal(props: TerminalProps) {
  const { label, isLive, ref } = props
  const box = useRef<HTMLDivElement>(null)
  const term = useRef<Xterm>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const made = makeTerminal()
    term.current = made.term
    const deafen = listen(made.term, element, latest)
    made.term.open(element)
    const unfit = keepFitted(element, made.fit)
    const { screen, end } = screenOf(made.term, latest)
    latest.current.onReady(screen)
    return () => {
      latest.current.onReady(undefined)
      unfit()
      deafen()
      end()
      made.term.dispose()
      term.current = null
    }
  }, [])

  const theme = useTheme()
  useEffect(() => {
    if (term.current) term.current.options.theme = terminalTheme(theme)
  }, [theme])
  useEffect(() => {
    if (term.current) term.current.options.disableStdin = !isLive
  }, [isLive])
  useImperativeHandle(ref, () => ({
    focus: () => term.current?.focus(),
    scrollToTop: () => term.current?.scrollToTop(),
    scrollToBottom: () => term.current?.scrollToBottom(),
    selection: () => term.current?.getSelection() ?? '',
    paste: (text) => term.current?.paste(text),
  }))
  return (
    <div
      role="application"
      aria-label={label}
      aria-describedby={keysHintId}
      className="size-full overflow-hidden p-3"
    >
      <div ref={box} className="size-full" />
    </div>
  )
}
