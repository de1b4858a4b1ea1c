import { describe, expect, it } from 'vitest'
import {
  projectNavigation,
  projectsItem,
  settingsNavigation,
  siloNavigation,
  systemNavigation,
} from './navigation.tsx'
import { placesOf } from './placeKeys.ts'

const sidebars = {
  silo: siloNavigation,
  project: [projectsItem, ...projectNavigation('demo', true)],
  system: systemNavigation,
  settings: [projectsItem, ...settingsNavigation],
}

describe('the letters of the sidebar', () => {
  it.each(Object.entries(sidebars))('of %s: each page has one, and no two have the same', (_, items) => {
    const places = placesOf(items)
    expect(places.map(({ label }) => label)).toEqual(items.map(({ label }) => label))
    expect(new Set(places.map(({ letter }) => letter)).size).toBe(items.length)
  })
})
