import { useRouter } from '@tanstack/react-router'

/** Goes on to the same page under another name, once what it shows has been renamed. `field` has the name in addresses. */
export function useFollowName() {
  const router = useRouter()
  return async (field: string, { from, to }: { from: string; to: string }): Promise<void> => {
    const params: Record<string, unknown> = router.state.matches.at(-1)?.params ?? {}
    if (from === to || params[field] !== from) return
    const next = { to: '.', params: { ...params, [field]: to }, search: true, replace: true }
    await router.navigate({ ...next, ignoreBlocker: true } as never)
  }
}
