import { createRoute, type AnyRoute } from '@tanstack/react-router'

const done = new WeakSet<AnyRoute>()

/**
 * Gives every list its own address. A list is a layout around panels and forms, so without one of them its route would
 * match nothing. What stands at the list's own address is empty: it takes no file, only the id of the layout (routes.ts).
 */
export function addListAddresses<T extends AnyRoute>(tree: T): T {
  const children = tree.children ?? []
  for (const child of children) addListAddresses(child)
  if (tree.options.staticData?.isList && !done.has(tree)) {
    done.add(tree)
    const path = (tree.options as { id?: string }).id?.replace(/^\/_/, '/') ?? '/'
    tree.addChildren([...children, createRoute({ getParentRoute: () => tree, path, component: () => null })])
  }
  return tree
}
