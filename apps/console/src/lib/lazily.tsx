import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useState } from 'react'

type Load<K extends string, P> = () => Promise<Record<K, ComponentType<P>>>

/** A component that is loaded when it is first rendered; until then it renders the fallback. If that fails, it is loaded
 * again when it is next mounted. */
export function lazily<K extends string, P extends object>(
  load: Load<K, P>,
  name: K,
  fallback?: ReactNode,
): ComponentType<P> {
  const file = onDemand(load, name)
  const attempt = () =>
    lazy(async () => {
      try {
        return { default: await file.load() }
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

/**
 * A component whose file is fetched on demand, and again after a failure. The file must have loaded before the
 * component renders.
 */
export function onDemand<K extends string, P extends object>(load: Load<K, P>, name: K) {
  let file: ComponentType<P> | undefined
  return {
    load: async () => (file ??= (await load())[name]),
    Component: (props: P) => file && createElement(file, props),
  }
}
