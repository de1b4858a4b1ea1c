/** Keys that the browser or its system keeps for itself, and how keys are sent. */
import type { Stroke } from './layouts.ts'

/** Sends that a key is pressed or released. `keysym` is its meaning in X11, `code` its place. */
export type SendKey = (keysym: number, code: string, isDown: boolean) => void

/** Meanings in X11, for guests whose machine takes no places of keys. */
const keysyms: Readonly<Record<string, number>> = {
  ControlLeft: 65507,
  AltLeft: 65513,
  AltRight: 65027,
  ShiftLeft: 65505,
  MetaLeft: 65515,
  Delete: 65535,
  Tab: 65289,
  Escape: 65307,
  Enter: 65293,
  Backspace: 65288,
  Space: 32,
  PrintScreen: 65377,
  ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`F${i + 1}`, 65470 + i])),
}
const keysymOf = (code: string): number =>
  keysyms[code] ?? code.toLowerCase().codePointAt(code.length - 1) ?? 0

/** Presses the keys in order and releases them in the other. */
export function press(send: SendKey, codes: readonly string[]): void {
  for (const code of codes) send(keysymOf(code), code, true)
  for (const code of codes.toReversed()) send(keysymOf(code), code, false)
}

const held = { shift: 'ShiftLeft', altGr: 'AltRight' } as const

/** The keys of a stroke, in the order in which they are pressed. */
export const codesOf = ({ code, with: also }: Stroke): string[] => (also ? [held[also], code] : [code])

/** Releases what the guest may take for held, when its screen loses the keyboard. */
export function releaseModifiers(send: SendKey): void {
  for (const code of ['ControlLeft', 'AltLeft', 'ShiftLeft', 'MetaLeft']) send(keysymOf(code), code, false)
}

const combination = (label: string, ...codes: string[]) => ({ label, codes })

/** The entries of the menu, in sections. */
export const keyMenu = [
  {
    title: 'Combinations',
    keys: [
      combination('Ctrl Alt Delete', 'ControlLeft', 'AltLeft', 'Delete'),
      combination('Ctrl Alt Backspace', 'ControlLeft', 'AltLeft', 'Backspace'),
      combination('Alt Tab', 'AltLeft', 'Tab'),
      combination('Alt F4', 'AltLeft', 'F4'),
      combination('Ctrl Escape', 'ControlLeft', 'Escape'),
      combination('Ctrl F6', 'ControlLeft', 'F6'),
    ],
  },
  {
    title: 'Consoles of Linux',
    keys: [1, 2, 3, 7].map((n) => combination(`Ctrl Alt F${n}`, 'ControlLeft', 'AltLeft', `F${n}`)),
  },
  {
    title: 'Keys',
    keys: [
      combination('Escape', 'Escape'),
      combination('Tab', 'Tab'),
      combination('Windows or Command', 'MetaLeft'),
      combination('Print Screen', 'PrintScreen'),
      ...Array.from({ length: 12 }, (_, i) => combination(`F${i + 1}`, `F${i + 1}`)),
    ],
  },
]
