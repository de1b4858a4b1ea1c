/** Where characters are on keyboards: text is pasted as keys, and the guest has the layout that says what they mean. */

/** A key that is pressed, and the one that is held with it. */
export interface Stroke {
  /** As in `KeyboardEvent.code`. */
  code: string
  with?: 'shift' | 'altGr'
}

const letters = (row: string) => Array.from(row, (letter) => `Key${letter}`)
/** The keys with characters, row by row, by their position on a US keyboard. */
const codes = [
  'Backquote',
  ...Array.from('1234567890', (digit) => `Digit${digit}`),
  'Minus',
  'Equal',
  ...letters('QWERTYUIOP'),
  'BracketLeft',
  'BracketRight',
  'Backslash',
  ...letters('ASDFGHJKL'),
  'Semicolon',
  'Quote',
  'IntlBackslash',
  ...letters('ZXCVBNM'),
  'Comma',
  'Period',
  'Slash',
]

interface Layout {
  label: string
  /** The characters of `codes`; a space where there is none. */
  plain: string
  shift: string
  /** By the code. */
  altGr?: Readonly<Record<string, string>>
  /** Of keys that wait for the next one: the space bar makes them characters. */
  dead?: Readonly<Record<string, Stroke>>
}

const layouts = {
  us: {
    label: 'English (US)',
    plain: "`1234567890-=qwertyuiop[]\\asdfghjkl;' zxcvbnm,./",
    shift: '~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:" ZXCVBNM<>?',
  },
  gb: {
    label: 'English (UK)',
    plain: "`1234567890-=qwertyuiop[]#asdfghjkl;'\\zxcvbnm,./",
    shift: '¬!"£$%^&*()_+QWERTYUIOP{}~ASDFGHJKL:@|ZXCVBNM<>?',
    altGr: { Digit4: '€' },
  },
  de: {
    label: 'German',
    plain: ' 1234567890ß qwertzuiopü+#asdfghjklöä<yxcvbnm,.-',
    shift: '°!"§$%&/()=? QWERTZUIOPÜ*\'ASDFGHJKLÖÄ>YXCVBNM;:_',
    altGr: {
      Digit2: '²',
      Digit3: '³',
      Digit7: '{',
      Digit8: '[',
      Digit9: ']',
      Digit0: '}',
      Minus: '\\',
      KeyQ: '@',
      KeyE: '€',
      BracketRight: '~',
      IntlBackslash: '|',
      KeyM: 'µ',
    },
    dead: {
      '^': { code: 'Backquote' },
      '´': { code: 'Equal' },
      '`': { code: 'Equal', with: 'shift' },
    },
  },
  fr: {
    label: 'French',
    plain: '²&é"\'(-è_çà)=azertyuiop $*qsdfghjklmù<wxcvbn,;:!',
    shift: ' 1234567890°+AZERTYUIOP £µQSDFGHJKLM%>WXCVBN?./§',
    altGr: {
      Digit2: '~',
      Digit3: '#',
      Digit4: '{',
      Digit5: '[',
      Digit6: '|',
      Digit7: '`',
      Digit8: '\\',
      Digit9: '^',
      Digit0: '@',
      Minus: ']',
      Equal: '}',
      KeyE: '€',
    },
  },
} as const satisfies Record<string, Layout>
export type LayoutName = keyof typeof layouts

export const layoutChoices = Object.entries(layouts).map(([value, { label }]) => ({ value, label }))
export const isLayout = (name: string): name is LayoutName => Object.hasOwn(layouts, name)

const space: Stroke = { code: 'Space' }
const everywhere = { ' ': [space], '\n': [{ code: 'Enter' }], '\t': [{ code: 'Tab' }] }

function strokesOf({ plain, shift, altGr = {}, dead = {} }: Layout): Map<string, Stroke[]> {
  const found = new Map<string, Stroke[]>(Object.entries(everywhere))
  const add = (character: string, strokes: Stroke[]) => {
    if (!found.has(character)) found.set(character, strokes)
  }
  for (const [i, code] of codes.entries()) add(Array.from(plain)[i] ?? ' ', [{ code }])
  for (const [i, code] of codes.entries()) add(Array.from(shift)[i] ?? ' ', [{ code, with: 'shift' }])
  for (const [code, character] of Object.entries(altGr)) add(character, [{ code, with: 'altGr' }])
  for (const [character, stroke] of Object.entries(dead)) add(character, [stroke, space])
  return found
}

/** The most characters of a text that is pasted. */
export const longestText = 4096

/** A text as keys, and its characters that the layout does not have, each once. */
export interface Typed {
  /** Of each character that can be typed. */
  strokes: Stroke[][]
  missing: string[]
}

export function typed(text: string, layout: LayoutName): Typed {
  const known = strokesOf(layouts[layout])
  const characters = Array.from(text.replace(/\r\n?/g, '\n'))
  return {
    strokes: characters.flatMap((character) =>
      [known.get(character) ?? []].filter(({ length }) => length > 0),
    ),
    missing: [...new Set(characters.filter((character) => !known.has(character)))],
  }
}
