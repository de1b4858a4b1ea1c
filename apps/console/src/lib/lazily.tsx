import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'

type Load<K extends string, P> = () => Promise<Record<K, ComponentType<P>>>

/** A component that is loaded when it is first rendered; until then it renders the fallback. If that fails, it is loaded
 * again when it is next mounted. */
export function lazily<K extends string, P extends object>(
  load: Load<K, P>,
  name: K,
  fallback?: ReactNode,
): ComponentType<P> {
  const attempt = () =>
    lazy(async () => {
      try {
        return { default: (await load())[name] as ComponentType<object> }
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
