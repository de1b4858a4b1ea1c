import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import auditor from 'axe-core'
import { describe, expect, it } from 'vitest'

interface Colour {
  parseString(value: string): void
}
// Its types leave out the part on colours.
const { Color, getContrast } = (
  auditor.commons as typeof auditor.commons & {
    color: { Color: new () => Colour; getContrast: (behind: Colour, text: Colour) => number }
  }
).color
const css = readFileSync(fileURLToPath(new URL('tokens.css', import.meta.url)), 'utf8')
const hue = /--hue: (\d+)/.exec(css)?.[1] ?? ''

/** The colours without transparency in the rule of a selector. */
function coloursOf(selector: string): Map<string, string> {
  const rule = css.slice(css.indexOf(`${selector} {`)).split('}', 1)[0] ?? ''
  const found = rule.matchAll(/--([\w-]+): (oklch\([^/;]+?\));/g)
  return new Map([...found].map(([, name = '', value = '']) => [name, value.replace('var(--hue)', hue)]))
}

const light = coloursOf(':root')
const dark = new Map([...light, ...coloursOf(":root[data-theme='dark']")])

function colour(value = ''): Colour {
  const made = new Color()
  made.parseString(value)
  return made
}

const texts = ['text', 'text-secondary', 'text-tertiary']
const statuses = ['ok', 'busy', 'danger', 'idle', 'note']
/** The night of the console's own drawings is dark in both themes, and has no text of these. */
const surfaces = (colours: Map<string, string>) =>
  [...colours.keys()].filter((name) => /^surface-(?!night)|-soft$/.test(name))

describe.each([
  ['light', light],
  ['dark', dark],
])('the colours of the %s theme', (_, colours) => {
  const contrast = (text: string, surface: string) =>
    getContrast(colour(colours.get(surface)), colour(colours.get(text)))

  it.each(texts)('%s has a contrast of 4.5 on each surface', (text) => {
    const weak = surfaces(colours).filter((surface) => contrast(text, surface) < 4.5)
    expect(weak).toEqual([])
    expect(surfaces(colours)).toHaveLength(12)
  })

  it.each([...statuses, 'accent-text'])('%s has it on pages, rows and its soft fill', (text) => {
    const soft = `${text.replace('-text', '')}-soft`
    const on = [...surfaces(colours).filter((name) => name.startsWith('surface-')), soft]
    expect(on.filter((surface) => contrast(text, surface) < 4.5)).toEqual([])
  })
})
