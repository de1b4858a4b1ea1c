/** The letters of the pages of the sidebar: after the key for it, a letter goes there. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { bindPageKey, isPlainKey } from '#/resource/list/pageKeys.ts'
import type { NavItem } from '#/ui/frame/Sidebar.tsx'

/** By the label in the sidebar. Those of one sidebar differ from each other. */
const placeLetters: Readonly<Record<string, string>> = {
  Projects: 'p',
  Overview: 'o',
  Instances: 'i',
  Disks: 'd',
  Snapshots: 's',
  Images: 'm',
  'Floating IPs': 'f',
  VPCs: 'v',
  'Affinity Groups': 'a',
  Schedules: 'h',
  'User Data Templates': 't',
  Probes: 'r',
  'Project Access': 'c',
  'Clean Up': 'n',
  Activity: 'y',
  Utilization: 'u',
  Usage: 'g',
  'Silo Access': 'c',
  Silos: 's',
  Issues: 'i',
  Alerts: 'a',
  Inventory: 'v',
  'IP Pools': 'p',
  Network: 'n',
  'System Update': 'd',
  Backup: 'b',
  'Support Bundles': 't',
  'Machine Sizes': 'm',
  'Fleet Access': 'c',
  'Audit Log': 'l',
  Profile: 'f',
  'Second Factor': 's',
  Password: 'w',
  'SSH Keys': 'k',
  'Access Tokens': 't',
}

export interface Place {
  label: string
  letter: string
  href: string
}

/** The pages of a sidebar that have a letter. */
export const placesOf = (items: readonly NavItem[]): Place[] =>
  items.flatMap(({ label, href }) => {
    const letter = placeLetters[label]
    return letter === undefined ? [] : [{ label, letter, href }]
  })

let places: readonly Place[] = []

/** Those of the sidebar that is shown. */
export const placesOfPage = (): readonly Place[] => places

/** Waits for one key. A press of the mouse ends that. */
function onNextKey(run: (event: KeyboardEvent) => void): void {
  const end = new AbortController()
  const once = { capture: true, signal: end.signal }
  document.addEventListener('pointerdown', () => end.abort(), once)
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.repeat || event.key === 'Shift') return
      end.abort()
      run(event)
    },
    once,
  )
}

/** Goes to the pages of the sidebar by two keys. */
export function usePlaceKeys(top: readonly NavItem[], items: readonly NavItem[]): void {
  const navigate = useNavigate()
  const all = placesOf([...top, ...items])
  const go = useEffectEvent((event: KeyboardEvent) => {
    const place = all.find(({ letter }) => letter === event.key.toLowerCase())
    if (!place || !isPlainKey(event)) return
    // The letter may be a key of the list as well.
    event.preventDefault()
    event.stopPropagation()
    void navigate({ href: place.href })
  })
  useEffect(() => {
    places = all
  })
  useEffect(() => bindPageKey('go', () => onNextKey((event) => go(event))), [])
}
