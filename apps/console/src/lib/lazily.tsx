import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'

/** A component that is loaded when it is first rendered; until then it renders the fallback. If that fails, it is loaded
 * again when it is next mounted. */
export function lazily<K extends string, P extends object>(
  load: () => Promise<Record<K, ComponentType<P>>>,
  name: K,
  fallback?: ReactNode,
): ComponentType<P> {
  const attempt = () =>
    lazy(async () => {
      try {
        const component: ComponentType<P> = (await load())[name]
        return { default: component }
      } catch (error) {
        Loaded = attempt()
        throw error
      }
    })
  let Loaded = attempt()
  return function Lazily(props: P) {
    const [Here] = useState(() => Loaded)
    return (
      <Suspense fallback={fallback}>
        <Here {...props} />
      </Suspense>
    )
  }
}
