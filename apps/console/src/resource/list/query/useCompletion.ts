import type { Columns } from '@purlin/contract/rules/query/columns'
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { completed, completionAt, pairAt } from './completion.ts'
import { useTagPairs } from './useTagPairs.ts'

interface Box {
  kind: string | undefined
  columns: Columns
  text: string
  setText: (text: string) => void
  input: RefObject<HTMLInputElement | null>
  values: Readonly<Record<string, readonly string[]>> | undefined
}

/** The options of a search box, and the keys that choose one. */
export function useCompletion({ kind, columns, text, setText, input, values }: Box) {
  const [caret, setCaret] = useState<number>()
  const [isAsked, setAsked] = useState(false)
  const [active, setActive] = useState(-1)
  // Where the caret goes once the text has its option.
  const next = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (next.current === undefined) return
    input.current?.setSelectionRange(next.current, next.current)
    next.current = undefined
  }, [text, input])
  const pairs = useTagPairs(kind, caret === undefined ? undefined : pairAt(columns, { text, caret }))
  const found =
    caret === undefined ? undefined : completionAt(columns, { text, caret, isAsked }, { pairs, values })
  const options = found?.options ?? []
  const close = () => {
    setCaret(undefined)
    setAsked(false)
    setActive(-1)
  }
  const choose = (option: string) => {
    if (!found) return
    const after = completed(text, found, option)
    setText(after.text)
    next.current = after.caret
    setCaret(after.caret)
    setAsked(false)
    setActive(-1)
  }
  const ask = () => {
    setCaret(input.current?.selectionStart ?? text.length)
    setAsked(true)
  }
  // In a circle: up from the box is the last one.
  const down = () => setActive((active + 1) % options.length)
  const up = () => setActive((active <= 0 ? options.length : active) - 1)
  /** True if the key was one of the list. */
  const onKey = ({ key }: KeyboardEvent): boolean => {
    const option = options[active]
    if (key === 'ArrowDown') (options.length > 0 ? down : ask)()
    else if (key === 'ArrowUp' && options.length > 0) up()
    else if (key === 'Escape' && options.length > 0) close()
    else if ((key === 'Enter' || key === 'Tab') && option !== undefined) choose(option)
    else return false
    return true
  }
  const typed = (at: number) => {
    setCaret(at)
    setAsked(false)
    setActive(-1)
  }
  return { options, active, caret, close, choose, onKey, typed }
}
