import { useSyncExternalStore } from 'react'

/** Functions to call at every change. `subscribe` returns what removes the listener. */
export interface Listeners {
  subscribe: (listener: () => void) => () => void
  notify: () => void
}

export function createListeners(): Listeners {
  const listeners = new Set<() => void>()
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify: () => {
      for (const listener of listeners) listener()
    },
  }
}

/** A value outside of React. `set` calls the listeners if the value has changed. */
export interface Store<T> {
  get: () => T
  set: (next: T) => void
  subscribe: Listeners['subscribe']
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const { subscribe, notify } = createListeners()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      notify()
    },
    subscribe,
  }
}

/** A store of one of a few words, kept per browser. The first one is the default. */
export function keptChoice<T extends string>(key: string, words: readonly [T, ...T[]]): Store<T> {
  const read = (): T => {
    try {
      const kept = localStorage.getItem(key)
      return words.find((word) => word === kept) ?? words[0]
    } catch {
      return words[0]
    }
  }
  const choice = createStore(read())
  return {
    ...choice,
    set: (next) => {
      try {
        localStorage.setItem(key, next)
      } catch {
        // Storage may be forbidden; the choice then lasts as long as the page.
      }
      choice.set(next)
    },
  }
}

/** The value of a store. The component renders again when the value changes. */
export const useStore = <T>({ subscribe, get }: Pick<Store<T>, 'get' | 'subscribe'>): T =>
  useSyncExternalStore(subscribe, get, get)
