/** Follows what the address names when another user renames or deletes it. */
import { kinds as contractKinds } from '@purlin/contract/rules/kinds'
import type { AnyRouter } from '@tanstack/react-router'
import { queryClient } from '#/api/query.ts'
import { ApiError, nameOf, sendIfThere } from '#/api/send.ts'
import { followName } from '#/resource/form/useFollowName.ts'
import { argsOf, referenceOf, type Kind } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { addToast } from '#/ui/feedback/toast.ts'

type Viewed = Kind & Pick<Required<Kind>, 'view'>
const isViewed = (kind: Kind): kind is Viewed => kind.view !== undefined
const all: readonly Kind[] = Object.values(kinds)
const kindByView = new Map<unknown, Viewed>(all.filter(isViewed).map((kind) => [nameOf(kind.view), kind]))

interface Missing {
  queryKey: readonly unknown[]
  state: { error: unknown; data?: unknown }
}

/**
 * Finds a resource by its id when its name is no longer there, and opens the page under the new name. A panel of one that
 * is gone closes; a form stays, with its input.
 */
async function follow(router: AnyRouter, { queryKey, state }: Missing): Promise<void> {
  const kind = kindByView.get(queryKey[0])
  const { id } = (state.data ?? {}) as { id?: string }
  if (!kind || id === undefined || !(state.error instanceof ApiError) || state.error.status !== 404) return
  const { field, noun } = contractKinds[kind.name]
  const from = (queryKey[1] as { params: Record<string, string> }).params[field] ?? ''
  const found = await sendIfThere(kind.view, argsOf(kind, kind.view, { nameOrId: id }))
  if (!found) {
    if (await closePanel(router, { field, from })) addToast({ content: `The ${noun} ${from} was deleted.` })
    return
  }
  const to = referenceOf(kind, found)
  const isFollowed = await followName(router, { field, from, to })
  if (isFollowed) addToast({ content: `Another user renamed the ${noun} ${from}: it is now ${to}.` })
}

/** Closes the panel of a resource. Returns whether it was open. */
async function closePanel(
  router: AnyRouter,
  { field, from }: { field: string; from: string },
): Promise<boolean> {
  const match = router.state.matches.at(-1)
  const params: Record<string, string> = match?.params ?? {}
  const list = match?.staticData.panelOver
  if (!list || params[field] !== from) return false
  await router.navigate({ href: list(params) })
  return true
}

/** Follows them until the returned function is called. */
export const followChanges = (router: AnyRouter): (() => void) =>
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return
    follow(router, event.query).catch(reportError)
  })
