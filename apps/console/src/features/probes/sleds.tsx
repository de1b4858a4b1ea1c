import { useQuery } from '@tanstack/react-query'
import { ShortId } from '#/features/hardware/parts/columns.tsx'
import { sledsQuery, type Sled } from '#/features/hardware/kinds.ts'
import { sections } from '#/lib/addresses.ts'
import { TextLink } from '#/ui/button/link.tsx'
import type { Choice } from '#/ui/field/choices.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'

/** All sleds. Their serial numbers rarely change. */
export const useSleds = () => useQuery({ ...sledsQuery(), staleTime: 60_000, throwOnError: false })

/** The serial number of a sled as a link; its id if it is not known. `plain` in panels, which lead nowhere. */
export function SledName({ id, plain = false }: { id: string; plain?: boolean }) {
  const { data, isPending } = useSleds()
  if (isPending) return <Skeleton className="h-2.5 w-24 align-middle" />
  const serial = data?.find((one) => one.id === id)?.baseboard.serial
  const shown = serial === undefined ? <ShortId id={id} /> : <span className="mono">{serial}</span>
  return plain ? shown : <TextLink href={sections.sled.view({ name: id })}>{shown}</TextLink>
}

/** The sleds that a probe can be on, also those that take no instances. */
export const sledChoices = (sleds: readonly Sled[]): Choice[] =>
  sleds
    .filter(({ missingSince, maintenance }) => missingSince == null && maintenance == null)
    .map(({ id, baseboard, policy }) => ({
      value: id,
      label: baseboard.serial,
      description:
        policy.kind === 'in_service' && policy.provisionPolicy === 'non_provisionable'
          ? 'Takes no instances'
          : baseboard.part,
    }))
    .toSorted((a, b) => (a.label < b.label ? -1 : 1))
