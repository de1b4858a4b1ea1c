import { keysOf, recordOf } from '@purlin/contract/rules/keys'
import type { ITheme } from '@xterm/xterm'
import type { Theme } from '#/ui/theme.ts'

type Token = `--${string}`
/** A token for both themes, or one for light and one for dark. */
const tokens: Record<keyof Omit<ITheme, 'extendedAnsi'>, Token | readonly [light: Token, dark: Token]> = {
  background: '--surface-sunken',
  foreground: '--text',
  cursor: '--accent',
  cursorAccent: '--surface-sunken',
  selectionBackground: '--line-strong',
  selectionForeground: '--text',
  selectionInactiveBackground: '--line',
  scrollbarSliderBackground: '--line-strong',
  scrollbarSliderHoverBackground: '--text-tertiary',
  scrollbarSliderActiveBackground: '--text-tertiary',
  overviewRulerBorder: '--line',
  black: ['--text', '--surface-overlay'],
  red: '--danger',
  green: '--ok',
  yellow: '--busy',
  blue: '--accent',
  magenta: '--note',
  cyan: '--series-6',
  white: ['--line', '--text-secondary'],
  brightBlack: '--text-tertiary',
  brightRed: '--series-4',
  brightGreen: '--series-3',
  brightYellow: '--series-2',
  brightBlue: '--series-1',
  brightMagenta: '--series-5',
  brightCyan: '--series-6',
  brightWhite: ['--surface-raised', '--text'],
}

/** The terminal's colours, as the design tokens stand in the theme on screen. */
export function terminalTheme(theme: Theme): ITheme {
  const style = getComputedStyle(document.documentElement)
  const toHex = hexReader()
  return recordOf(keysOf(tokens), (name) => {
    const token = tokens[name]
    const chosen = typeof token === 'string' ? token : token[theme === 'light' ? 0 : 1]
    return toHex(style.getPropertyValue(chosen))
  })
}

/** Turns any colour of CSS into '#rrggbb', the one form the terminal reads everywhere. */
function hexReader(): (colour: string) => string {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const paint = canvas.getContext('2d', { willReadFrequently: true })
  return (colour) => {
    if (!paint) return '#808080'
    paint.fillStyle = colour
    paint.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0] = paint.getImageData(0, 0, 1, 1).data
    return `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`
  }
}
