import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { createStore, useStore } from './store.ts'

it('a store calls its listeners for each new value, until they unsubscribe', () => {
  const store = createStore('a')
  const seen: string[] = []
  const leave = store.subscribe(() => seen.push(store.get()))
  store.set('b')
  store.set('c')
  leave()
  store.set('d')
  expect(seen).toEqual(['b', 'c'])
  expect(store.get()).toBe('d')
})

it('setting the same value calls no listener', () => {
  const store = createStore(Number.NaN)
  const listener = vi.fn()
  store.subscribe(listener)
  store.set(Number.NaN)
  expect(listener).not.toHaveBeenCalled()
})

it('a component renders the value of its store', () => {
  const store = createStore(1)
  const Shown = () => useStore(store)
  store.set(2)
  expect(renderToStaticMarkup(<Shown />)).toBe('2')
})
