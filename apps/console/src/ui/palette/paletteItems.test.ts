import { describe, expect, it } from 'vitest'
import { type PaletteItem, searchPalette } from './paletteItems.ts'

const items: PaletteItem[] = [
  { id: '1', label: 'Disks', group: "Project 'demo'", href: '/disks' },
  { id: '2', label: 'New instance', onAction: () => undefined },
  { id: '3', label: 'web', group: 'Go to instance', href: '/web' },
]
const titles = (query: string) => searchPalette(items, query).map(({ title }) => title)

describe('the command palette', () => {
  it("puts ungrouped entries first, under 'Actions'", () => {
    expect(titles('')).toEqual(['Actions', "Project 'demo'", 'Go to instance'])
  })
  it('matches the group as well as the label', () => {
    expect(titles('instance')).toEqual(['Actions', 'Go to instance'])
    expect(titles('demo')).toEqual(["Project 'demo'"])
  })
  it('finds nothing where nothing matches', () => {
    expect(titles('zzz')).toEqual([])
  })
})
