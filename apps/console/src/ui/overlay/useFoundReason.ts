import { useEffect, useEffectEvent, useState } from 'react'

/** The reason that an entry finds, once it is wanted; undefined until it is known. */
export function useFoundReason(
  find: (() => Promise<string | undefined>) | undefined,
  isWanted = true,
): { reason: string | undefined } | undefined {
  const [found, setFound] = useState<{ reason: string | undefined }>()
  const look = useEffectEvent(async () => find?.())
  useEffect(() => {
    let isShown = true
    if (isWanted) void look().then((reason) => isShown && setFound({ reason }))
    return () => {
      isShown = false
    }
  }, [isWanted])
  return found
}
