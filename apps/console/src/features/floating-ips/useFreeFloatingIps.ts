import type { FloatingIp } from '#/features/ip-pools/queries.ts'
import { kinds } from '#/resource/kinds.ts'
import { pickerQuery, usePicker } from '#/resource/usePicker.ts'

const free = { filter: ['attached:false'], fits: ({ instanceId }: FloatingIp) => !instanceId }

/** For loaders: those that are offered first. */
export const freeFloatingIpsQuery = (project: string) =>
  pickerQuery(kinds.floatingIp, { scope: { project }, ...free })

/** The floating IPs of a project that lead to no instance, to choose from by id. */
export const useFreeFloatingIps = (
  project: string,
  { value, except = [] }: { value: string; except?: readonly string[] },
) =>
  usePicker(kinds.floatingIp, {
    scope: { project },
    value,
    by: 'id',
    ...free,
    except,
    choice: ({ ip, description }) => ({ description: [ip, description].filter(Boolean).join(' / ') }),
  })
