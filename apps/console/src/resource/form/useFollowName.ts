import { useRouter, type AnyRouter } from '@tanstack/react-router'

/** A new name, and the field that has the name in addresses. */
export interface Renamed {
  field: string
  from: string
  to: string
}

/** Opens the same page under the new name of its resource. Returns whether the page belongs to that resource. */
export async function followName(router: AnyRouter, { field, from, to }: Renamed): Promise<boolean> {
  const params: Record<string, unknown> = router.state.matches.at(-1)?.params ?? {}
  if (from === to || params[field] !== from) return false
  const next = { to: '.', params: { ...params, [field]: to }, search: true, replace: true }
  await router.navigate({ ...next, ignoreBlocker: true } as never)
  return true
}

/** The same for components. */
export function useFollowName() {
  const router = useRouter()
  return (field: string, names: { from: string; to: string }): Promise<boolean> =>
    followName(router, { field, ...names })
}
