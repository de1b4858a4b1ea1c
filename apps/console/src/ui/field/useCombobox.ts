import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { Choice } from './choices.tsx'
import { comboLeft, comboOptions, type ComboRequest, comboText } from './comboOptions.ts'

interface ComboboxSetup extends Omit<ComboRequest, 'query'> {
  isLocked: boolean
  onChange: (value: string) => void
  onBlur: (() => void) | undefined
  onSearch: ((text: string) => void) | undefined
  ref: Ref<{ focus: () => void }> | undefined
}

// The list opens on focus, except when the focus was put there for the person: after a failed submit, or in a
// dialog that has just opened.
function useQuietFocus(ref: ComboboxSetup['ref']) {
  const input = useRef<HTMLInputElement>(null)
  const isQuiet = useRef(true)
  useEffect(() => {
    const timer = window.setTimeout(() => (isQuiet.current = false), 0)
    return () => window.clearTimeout(timer)
  }, [])
  useImperativeHandle(ref, () => ({
    focus: () => {
      isQuiet.current = true
      input.current?.focus()
      isQuiet.current = false
    },
  }))
  return { input, isQuiet }
}

/** The behaviour of a combobox: what is typed, which line is marked, whether the list is open. */
export function useCombobox({ isLocked, onChange, onBlur, onSearch, ref, ...setup }: ComboboxSetup) {
  const [query, setQuery] = useState<string | undefined>()
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const { input, isQuiet } = useQuietFocus(ref)
  const request = { ...setup, query }
  const options = comboOptions(request)

  const chosen = options.findIndex(({ value }) => value === setup.value)
  const open = (start = -1) => {
    if (isLocked) return
    setAt(chosen < 0 ? start : chosen)
    setOpen(true)
  }
  const close = () => {
    setOpen(false)
    setQuery(undefined)
    setAt(-1)
  }
  const choose = ({ value }: Choice) => {
    onChange(value)
    close()
  }
  const type = (text: string) => {
    setQuery(text)
    setOpen(true)
    setAt(text === '' ? -1 : 0)
    if (text === '' && setup.value !== '') onChange('')
    onSearch?.(text)
  }
  const leave = () => {
    const kept = comboLeft(request)
    if (kept !== undefined && kept !== setup.value) onChange(kept)
    if (query) onSearch?.('')
    close()
    onBlur?.()
  }
  const step = (by: number) => {
    const count = options.length
    if (!isOpen) return open(by > 0 ? Math.min(0, count - 1) : count - 1)
    if (count > 0) setAt((now) => (now < 0 && by < 0 ? count - 1 : (now + by + count) % count))
  }
  const keys: Record<string, () => void> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    ...(isOpen ? { Enter: () => (options[at] ? choose(options[at]) : close()), Escape: close } : {}),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key]
    if (!act || event.nativeEvent.isComposing) return
    // Escape with an open list closes the list only; the next one belongs to the dialog around.
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  return {
    input,
    options,
    isOpen,
    at,
    setAt,
    choose,
    toggle: () => {
      if (isOpen) return close()
      input.current?.focus()
      open()
    },
    text: query ?? comboText(request),
    handlers: {
      onChange: (event: { target: { value: string } }) => type(event.target.value),
      onFocus: () => !isQuiet.current && open(),
      onClick: () => !isOpen && open(),
      onBlur: leave,
      onKeyDown,
    },
  }
}
