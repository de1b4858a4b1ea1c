import { physicalDiskList, switchList } from '@purlin/contract/operations/hardware/hardware'
import { taskView } from '@purlin/contract/operations/tasks/tasks'
import { useQueries, useQuery } from '@tanstack/react-query'
import { errorMessage } from '#/api/errors.ts'
import { everyPage } from '#/api/everyPage.ts'
import { query } from '#/api/query.ts'
import { sections } from '#/lib/addresses.ts'
import { Button } from '#/ui/button/Button.tsx'
import { LinkButton } from '#/ui/button/LinkButton.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { statusQuery } from '#/features/update/queries.ts'
import { sledsQuery, type Sled } from '../kinds.ts'
import { CapacityBars, capacityOf } from '../parts/FleetCapacity.tsx'
import { newSledsQuery } from '../sleds/NewSleds.tsx'
import { portsQuery } from '../switches/ports.ts'
import { Drawing } from './Drawing.tsx'
import { placesOf, stateWords, type LoadOf } from './places.ts'

const loads: readonly [LoadOf, string][] = [
  ['threads', 'Threads'],
  ['memory', 'Memory'],
]

const disksQuery = () => everyPage(physicalDiskList, { query: {} })
const switchesQuery = () => everyPage(switchList, { query: {} })

/** All that the drawing is made of. */
export const rackQueries = () => [sledsQuery(), newSledsQuery(), switchesQuery(), disksQuery(), portsQuery()]

const pollMs = 1000
const updatePollMs = 20_000

/** How much of each task that empties a sled is done. */
function useProgress(sleds: readonly Sled[]): ReadonlyMap<string, number> {
  const tasks = sleds.flatMap(({ maintenance }) =>
    maintenance?.state === 'evacuating' && maintenance.taskId ? [maintenance.taskId] : [],
  )
  const found = useQueries({
    queries: tasks.map((task) => ({
      ...query(taskView, { params: { task } }),
      throwOnError: false,
      refetchInterval: pollMs,
    })),
  })
  return new Map(
    found.flatMap(({ data }) => {
      if (!data || data.totalItems === 0) return []
      return [[data.id, 1 - (data.pending + (data.running ?? 0)) / data.totalItems]]
    }),
  )
}

function useRackContents(rackId: string) {
  const quietly = { throwOnError: false } as const
  const sleds = useQuery({ ...sledsQuery(), ...quietly })
  const newSleds = useQuery(newSledsQuery())
  const switches = useQuery({ ...switchesQuery(), ...quietly })
  const disks = useQuery({ ...disksQuery(), ...quietly })
  const ports = useQuery({ ...portsQuery(), ...quietly })
  const progress = useProgress(sleds.data ?? [])
  const update = useQuery({ ...statusQuery(), ...quietly, refetchInterval: updatePollMs }).data
  const all = [sleds, newSleds, switches, disks, ports]
  const inRack = <T extends { rackId: string }>(rows: readonly T[]) =>
    rows.filter((row) => row.rackId === rackId)
  const contents = sleds.data &&
    newSleds.data &&
    switches.data &&
    disks.data &&
    ports.data && {
      sleds: inRack(sleds.data),
      newSleds: inRack(newSleds.data),
      switches: inRack(switches.data),
      disks: disks.data,
      ports: inRack(ports.data),
      progress,
      update,
    }
  return {
    contents,
    error: all.find(({ error }) => error)?.error,
    retry: () => all.map(({ refetch }) => refetch()),
  }
}

/** The drawing of a rack, and its resources. */
export function RackAsItStands({ rackId, serial, load }: { rackId: string; serial: string; load: LoadOf }) {
  const { contents, error, retry } = useRackContents(rackId)
  if (error && !contents)
    return (
      <Notice tone="danger" title="Could not load the hardware of the rack">
        <p className="mb-2">{errorMessage(error)}</p>
        <Button onClick={retry}>Try again</Button>
      </Notice>
    )
  if (!contents) return <Skeleton className="h-[56rem] w-full max-w-4xl" />
  const { places, unplaced } = placesOf(contents)
  return (
    <>
      <CapacityBars capacity={capacityOf(contents.sleds)} />
      <section className="mt-8">
        <div className="mb-2 flex max-w-4xl flex-wrap items-center justify-between gap-3">
          <h2 className="text-lg font-semibold">The rack as it stands</h2>
          <div role="group" aria-label="Load shown" className="flex items-center gap-2">
            <span className="text-hint text-secondary">Filled by reserved</span>
            {loads.map(([of, label]) => (
              <LinkButton
                key={of}
                size="small"
                href={`${sections.rack.view({ name: rackId })}${of === 'threads' ? '' : `?load=${of}`}`}
                aria-current={of === load ? 'true' : undefined}
                className="aria-[current]:border-accent aria-[current]:text-accent-text"
              >
                {label}
              </LinkButton>
            ))}
          </div>
        </div>
        <Drawing places={places} load={load} label={`Places of rack ${serial}`} />
        {unplaced.length > 0 && (
          <p className="mt-3 text-secondary">
            Without a known place:{' '}
            {unplaced.map((part, i) => (
              <span key={part.href}>
                {i > 0 && ', '}
                <TextLink href={part.href}>{part.serial}</TextLink> ({stateWords[part.state]})
              </span>
            ))}
          </p>
        )}
      </section>
    </>
  )
}
