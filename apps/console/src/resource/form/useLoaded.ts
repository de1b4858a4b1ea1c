import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'

/**
 * The data that the route has loaded, kept up to date. Later failures leave the last answer on screen, except that a
 * 404 and a failed first load go to the nearest error boundary.
 */
export function useLoaded<T, K extends QueryKey>(options: UseQueryOptions<T, Error, T, K>): T {
  const { data, error } = useQuery(options)
  if (data === undefined) throw error ?? new Error(`no route has loaded ${String(options.queryKey[0])}`)
  return data
}
