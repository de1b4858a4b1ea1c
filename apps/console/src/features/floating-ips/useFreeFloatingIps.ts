import { useQuery } from '@tanstack/react-query'
import { poolsQuery, type FloatingIp } from '#/features/ip-pools/queries.ts'
import { kinds } from '#/resource/kinds.ts'
import { pickerQuery, usePicker } from '#/resource/form/usePicker.ts'

const free = { filter: ['attached:false'], fits: ({ instanceId }: FloatingIp) => !instanceId }

/** For loaders: those that are offered first. */
export const freeFloatingIpsQuery = (project: string) =>
  pickerQuery(kinds.floatingIp, { scope: { project }, ...free })

/** The floating IPs of a project that lead to no instance, to choose from by id. */
export function useFreeFloatingIps(
  project: string,
  { value, except = [] }: { value: string; except?: readonly string[] },
) {
  const pools = useQuery({ ...poolsQuery(), throwOnError: false }).data
  const poolOf = (id: string) => pools?.find((pool) => pool.id === id)?.name
  return usePicker(kinds.floatingIp, {
    scope: { project },
    value,
    by: 'id',
    ...free,
    except,
    choice: ({ ip, ipPoolId, description }) => ({
      description: [ip, poolOf(ipPoolId), description].filter(Boolean).join(' / '),
    }),
  })
}
