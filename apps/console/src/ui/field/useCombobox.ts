import { useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { ComboboxFieldProps } from './ComboboxField.tsx'
import { comboLeft, comboOptions, comboText } from './comboOptions.ts'

// The list opens on focus, except when the focus was put there for the person: after a failed submit, or in a
// dialog that has just opened.
function useQuietFocus(ref: ComboboxFieldProps['ref']) {
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
  return { input, isQuiet: () => isQuiet.current }
}

/** The typed text of a combobox, until an option is chosen or the field is left, and the matching options. */
export function useCombobox(props: ComboboxFieldProps) {
  const { items, value, chosen, onChange, onBlur, onPick, onSearch, allowCustom = false } = props
  const [query, setQuery] = useState<string | undefined>()
  const [picks, setPicks] = useState(0)
  const request = { items, value, query, allowCustom, isNarrowed: onSearch !== undefined, chosen }
  return {
    edit: { query, picks, drop: () => setQuery(undefined), ...useQuietFocus(props.ref) },
    options: comboOptions(request),
    value: value || null,
    inputValue: query ?? comboText(request),
    onInputChange: (text: string) => {
      const isEdited = text !== comboText(request)
      setQuery(isEdited ? text : undefined)
      if (text === '' && value !== '') onChange('')
      onSearch?.(isEdited ? text : '')
    },
    // Also called on leaving, with the value of before.
    onChange: (key: string | number | null) => {
      if (key === null) return
      setQuery(undefined)
      if (key === value) return
      setPicks(picks + 1)
      onChange(String(key))
      onPick?.(String(key))
    },
    onBlur: () => {
      const kept = comboLeft(request)
      if (kept !== undefined && kept !== value) onChange(kept)
      if (query) onSearch?.('')
      setQuery(undefined)
      onBlur?.()
    },
  }
}
