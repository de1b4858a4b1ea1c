import { type ComponentType, lazy, Suspense } from 'react'

/** A component that is fetched when it is first shown; nothing stands in its place until then. */
export function lazily<K extends string, P extends object>(
  load: () => Promise<Record<K, ComponentType<P>>>,
  name: K,
): ComponentType<P> {
  const Loaded = lazy(async () => ({ default: (await load())[name] as ComponentType<object> }))
  return function Lazily(props: P) {
    return (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    )
  }
}
