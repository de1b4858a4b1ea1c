/** The keys of a page: what they do and what is shown of them is said in one place. */
import { keysOf } from '@purlin/contract/rules/keys'
import { useEffect, useEffectEvent } from 'react'
import { hasModifier, shortcutText } from '#/lib/platform.ts'
import { keptChoice } from '#/lib/store.ts'

/** All of them. Some need the modifier of the platform, and `K` also works while the user types. */
export const pageKeys = {
  palette: { key: 'k', isModified: true, does: 'Find anything, go anywhere' },
  search: { key: '/', isModified: false, does: 'Search the list' },
  undo: { key: 'z', isModified: true, does: 'Undo what the last notification says' },
  go: { key: 'g', isModified: false, does: 'Go to a page of the sidebar: press its letter next' },
  next: { key: 'j', isModified: false, does: 'Go to the next row' },
  previous: { key: 'k', isModified: false, does: 'Go to the previous row' },
  choose: { key: 'x', isModified: false, does: 'Select the row, with Shift all rows since the last one' },
  keys: { key: '?', isModified: false, does: 'Show the keys' },
} as const satisfies Record<string, { key: string; isModified: boolean; does: string }>
export type PageKey = keyof typeof pageKeys

/** How a key is written. */
export const keyText = (name: PageKey): string => {
  const { key, isModified } = pageKeys[name]
  return isModified ? shortcutText(key.toUpperCase()) : key
}

/**
 * Whether keys without a modifier act. Speech input types such characters by accident, so each user can switch them off
 * (WCAG 2.1.4). Kept per browser.
 */
export const plainKeysStore = keptChoice('purlin-plain-keys', ['on', 'off'])
const isOn = (name: PageKey): boolean => pageKeys[name].isModified || plainKeysStore.get() === 'on'

type Run = (event?: KeyboardEvent) => void
interface Bound {
  name: PageKey
  run: Run
  /** Whether it does anything on the page as it is. */
  canRun: () => boolean
}
// Two parts of a page may want the same key: the one that came last has it.
const bound: Bound[] = []

/** Those that do something on the page that is shown. */
export const keysOfPage = (): PageKey[] =>
  keysOf(pageKeys).filter((name) => isOn(name) && bound.some((one) => one.name === name && one.canRun()))

const layers = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'
// The box of a row takes no letters.
const fields =
  'input:not(tbody [type="checkbox"]), textarea, select, [contenteditable], [aria-haspopup="listbox"], [role="application"] *'

const isWithModifier = (event: KeyboardEvent): boolean => hasModifier(event) && !event.shiftKey

const isInField = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.matches(fields)

/** Whether a key without a modifier belongs to the page: no field, menu or dialog wants it. */
export const isPlainKey = (event: KeyboardEvent): boolean =>
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !event.isComposing &&
  !isInField(event) &&
  !document.querySelector(layers)

function isPressed(name: PageKey, event: KeyboardEvent): boolean {
  const { key, isModified } = pageKeys[name]
  if (event.key.toLowerCase() !== key || event.altKey || event.defaultPrevented) return false
  if (name === 'palette') return isWithModifier(event)
  // Letters belong to text fields, which have their own undo, and to dialogs over the page.
  if (isModified) return isWithModifier(event) && !isInField(event)
  return isOn(name) && isPlainKey(event)
}

function onKey(event: KeyboardEvent): void {
  const one = bound.findLast(({ name, canRun }) => isPressed(name, event) && canRun())
  if (!one) return
  event.preventDefault()
  one.run(event)
}

/** Does something when a key is pressed, until what it returns is called. */
export function bindPageKey(name: PageKey, run: Run, canRun: Bound['canRun'] = () => true): () => void {
  const one = { name, run, canRun }
  if (bound.length === 0) document.addEventListener('keydown', onKey)
  bound.push(one)
  return () => {
    bound.splice(bound.indexOf(one), 1)
    if (bound.length === 0) document.removeEventListener('keydown', onKey)
  }
}

/** The same, as long as the component is shown. */
export function usePageKey(name: PageKey, run: () => void): void {
  const runNow = useEffectEvent(run)
  useEffect(() => bindPageKey(name, () => runNow()), [name])
}

/** Does what a key of the page does. */
export const runPageKey = (name: PageKey): void => bound.findLast((one) => one.name === name)?.run()
