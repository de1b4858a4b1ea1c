import { serverNow } from '#/lib/clock.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { createContext, useContext, useMemo, useState } from 'react'
import type { TimeRange } from '#/ui/chart/data.ts'
import {
  atLeastShortest,
  defaultPreset,
  fixedRange,
  type Preset,
  rangeOf,
  type RangeSearch,
  rangeSearch,
  searchOf,
} from './range.ts'

/** The range of time that the charts of a page show, and the functions that change it. */
export interface RangeControl {
  range: TimeRange
  /** When the charts were last reloaded, in ms: samples of past times may have arrived since. */
  asOf: number
  /** undefined: the range is fixed */
  preset: Preset | undefined
  /** the search that keeps the range in another address */
  search: RangeSearch
  /** the preset that zooming out leads to */
  last: Preset
  setPreset: (preset: Preset) => void
  setRange: (range: TimeRange) => void
  /** Shows a range selected with the pointer. */
  zoom: (range: TimeRange) => void
  /** Moves the end of a preset to now, and reloads the charts. */
  slide: () => void
}

/** The range in the address of the current page. Its route needs `validateSearch: rangeSearch`. */
export function useRange(): RangeControl {
  const given: Record<string, unknown> = useSearch({ strict: false })
  const search = useMemo(() => rangeSearch(given), [given])
  const navigate = useNavigate()
  const [now, setNow] = useState(serverNow)
  const fixed = fixedRange(search)
  const preset = fixed ? undefined : (search.range ?? defaultPreset)
  const [last, setLast] = useState<Preset>(defaultPreset)
  if (preset && preset !== last) setLast(preset)
  const range = useMemo(
    () => fixedRange(search) ?? rangeOf(search.range ?? defaultPreset, now),
    [search, now],
  )
  // The other parameters of the address, such as a tab, stay.
  const { range: _range, start: _start, end: _end, ...others } = given
  const go = (next: RangeSearch) =>
    void navigate({ to: '.', search: { ...others, ...next }, resetScroll: false })
  const setRange = (next: TimeRange) => go(searchOf(next))
  return {
    range,
    asOf: now,
    preset,
    search,
    last,
    setPreset: (next) => {
      setNow(serverNow())
      go(next === defaultPreset ? {} : { range: next })
    },
    setRange,
    zoom: (next) => setRange(atLeastShortest(next)),
    slide: () => setNow(serverNow()),
  }
}

const Shared = createContext<RangeControl | null>(null)
/** Provides the range to the charts below. */
export const RangeProvider = Shared.Provider

/** The range that the nearest provider above gives. */
export function useSharedRange(): RangeControl {
  const found = useContext(Shared)
  if (!found) throw new Error('there is no RangeProvider around')
  return found
}
