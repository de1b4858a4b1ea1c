import { useSyncExternalStore } from 'react'

const second = 1000
const everySecond = (notify: () => void) => {
  const timer = window.setInterval(notify, second)
  return () => window.clearInterval(timer)
}
const never = () => () => undefined
const thisSecond = () => Math.floor(Date.now() / second) * second

/** The present in ms, to the second. While `isOn`, the component follows it. */
export const useNow = (isOn: boolean): number => useSyncExternalStore(isOn ? everySecond : never, thisSecond)
