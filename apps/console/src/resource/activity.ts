/** Whether the panel with the tasks of the signed-in person is open. */
let open = false
const listeners = new Set<() => void>()

function set(next: boolean): void {
  open = next
  for (const listener of listeners) listener()
}

export const openActivity = (): void => set(true)
export const closeActivity = (): void => set(false)
export const activityStore = {
  get: (): boolean => open,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
