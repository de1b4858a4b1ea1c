import { useSyncExternalStore } from 'react'
import { serverNow } from '#/lib/clock.ts'

const second = 1000
const everySecond = (notify: () => void) => {
  const timer = window.setInterval(notify, second)
  return () => window.clearInterval(timer)
}
const never = () => () => undefined
const thisSecond = () => Math.floor(serverNow() / second) * second

/** The present in ms, to the second. While `isOn`, the component follows it. */
export const useNow = (isOn: boolean): number => useSyncExternalStore(isOn ? everySecond : never, thisSecond)
