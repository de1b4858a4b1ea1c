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
  it('lists actions on many resources once their beginning is typed, and the best of them', () => {
    const acts: PaletteItem[] = Array.from({ length: 30 }, (_, n) => ({
      label: `Stop web-${n}`,
      act: 'Stop',
      group: 'Instances',
      onAction: () => undefined,
    }))
    const found = (query: string) => searchPalette(acts, query).flatMap((group) => group.items)
    expect(found('')).toEqual([])
    expect(found('web-7')).toEqual([])
    expect(found('stop web-7')[0]?.label).toBe('Stop web-7')
    expect(found('sto')).toHaveLength(20)
  })
  it('finds an action by its name after that of the resource', () => {
    const act = { act: 'Stop', label: 'Stop web-7', words: 'Stop web-7 Stop', onAction: () => undefined }
    expect(searchPalette([act], 'web-7 stop')).toHaveLength(1)
    expect(searchPalette([act], 'web-7 start')).toEqual([])
  })
  it('lists what is found elsewhere once', () => {
    const act: PaletteItem = { id: '1 Stop', label: 'Stop web-7', onAction: () => undefined }
    const own = { ...act, label: 'Stop', words: 'Stop web-7 Stop' }
    expect(searchPalette([own], 'stop web-7', [act])[0]?.items).toEqual([own])
    expect(searchPalette([], 'stop web-7', [act])[0]?.items).toEqual([act])
  })
  it('finds nothing where nothing matches', () => {
    expect(titles('zzz')).toEqual([])
  })
})
