/** The disks that are deleted with instances: chosen in the dialog that deletes these. */
import { instanceDelete, type instanceDiskList } from '@purlin/contract/operations/instances/instances'
import { instanceSnapshotList } from '@purlin/contract/operations/storage/instance-snapshots'
import { snapshotList } from '@purlin/contract/operations/storage/snapshots'
import { taskPreview } from '@purlin/contract/operations/tasks/tasks'
import { countOf } from '@purlin/contract/rules/kinds'
import { disksDeletedBy, isOwnBootDisk, type TaskAction } from '@purlin/contract/rules/tasks'
import { createSemaphore } from '@purlin/contract/semaphore'
import { useQuery } from '@tanstack/react-query'
import type { Item } from '#/api/everyPage.ts'
import { load, query } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { serverNow } from '#/lib/clock.ts'
import { useStore, createStore, type Store } from '#/lib/store.ts'
import { formatSize, joinedByAnd, relativeLong } from '#/lib/format.ts'
import type { Instance, InstanceTarget } from '#/features/instance-state/update.ts'
import type { Options } from '#/resource/actions/confirmation.tsx'
import type { Named } from '#/resource/kind.ts'
import { SkippedReasons } from '#/resource/actions/TaskPlan.tsx'
import { CheckboxField } from '#/ui/field/CheckboxField.tsx'
import { RadioGroupField } from '#/ui/field/RadioGroupField.tsx'
import { disksQuery, externalIpsQuery } from './queries.ts'

type Disk = Item<typeof instanceDiskList>
const keepsDisks = 'Attached disks are detached, not deleted.'
const snapshotsStay = 'Snapshots of the disks stay.'
const wholesGo =
  'Snapshots of an instance are deleted with it; the snapshots of its disks that they consist of stay.'
const task = (action: TaskAction) => ({ kind: 'instance', action }) as const

/** The choice of disks, the boot disk chosen if it was created with its instance. Without rows, about all that match. */
export const deletionDisks = <R extends Instance>(
  rows: readonly R[],
  projectOf: (row: R) => string,
): Promise<Options<R>> => {
  const [only] = rows
  return only && rows.length === 1 ? ofOne(only, projectOf) : ofMany(rows, projectOf)
}

async function ofOne<R extends Instance>(row: R, projectOf: (row: R) => string): Promise<Options<R>> {
  const target = { project: projectOf(row), instance: row.name }
  const chosen = createStore<ReadonlySet<string>>(new Set())
  const found = await Promise.all([load(disksQuery(target)), floatingIpsOf(target)]).catch(() => undefined)
  const [disks, floating = []] = found ?? []
  const snapshots = disks && (await snapshotsOf(target, disks.items).catch(() => undefined))
  const own = (disks?.items ?? []).filter((disk) => isOwnBootDisk(row, disk) && !disk.protected)
  chosen.set(new Set(own.map(({ id }) => id)))
  return {
    content: disks ? (
      <Disks
        disks={disks.items}
        bootDisk={row.bootDiskId}
        floating={floating}
        snapshots={snapshots}
        chosen={chosen}
      />
    ) : (
      <p>{keepsDisks}</p>
    ),
    request: ({ id }) =>
      requestTo(instanceDelete, {
        params: { instance: id },
        query: chosen.get().size > 0 ? { withDisk: [...chosen.get()] } : {},
      }),
    task: () => task('delete'),
    tasks: [],
  }
}

/** The names of the floating IPs of an instance. */
const floatingIpsOf = async (target: InstanceTarget): Promise<string[]> =>
  (await load(externalIpsQuery(target))).items.flatMap((ip) => (ip.kind === 'floating' ? [ip.name] : []))

/** The first names, and the number of all. */
interface Names {
  first: readonly string[]
  count: number
}
const mostNames = 10

/** 'a, b and 4 more' */
const namesText = ({ first, count }: Names): string => {
  const shown = first.slice(0, mostNames)
  const rest = count - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : joinedByAnd(shown)
}
const allOf = (names: readonly string[]): Names => ({ first: names, count: names.length })

interface SnapshotsOf {
  /** Those of its disks stay. */
  ofDisks: Names
  /** Those of the instance do not. */
  wholes: Names
}

async function snapshotsOf(target: InstanceTarget, disks: readonly Disk[]): Promise<SnapshotsOf> {
  const { project } = target
  const paged = { limit: mostNames, total: true }
  const namesIn = ({
    items,
    totalItems = items.length,
  }: {
    items: Named[]
    totalItems?: number | undefined
  }): Names => ({
    first: items.map(({ name }) => name),
    count: totalItems,
  })
  const [wholes, ...ofEach] = await Promise.all([
    load(query(instanceSnapshotList, { query: { ...target, ...paged } })).then(namesIn),
    ...disks.map(async ({ id }) => {
      const { items, ...page } = await load(query(snapshotList, { query: { project, disk: id, ...paged } }))
      const own = items.filter(({ diskId }) => diskId === id)
      // A server that does not know the field `disk` lists those of others, too.
      return own.length === items.length ? namesIn({ items, ...page }) : allOf(own.map(({ name }) => name))
    }),
  ])
  return {
    wholes,
    ofDisks: {
      first: ofEach.flatMap(({ first }) => first),
      count: ofEach.reduce((sum, { count }) => sum + count, 0),
    },
  }
}

interface DisksProps {
  disks: readonly Disk[]
  bootDisk: string | null | undefined
  floating: readonly string[]
  /** Undefined if they could not be read. */
  snapshots: SnapshotsOf | undefined
  chosen: Store<ReadonlySet<string>>
}

function Disks({ disks, bootDisk, floating, snapshots, chosen }: DisksProps) {
  const ticked = useStore(chosen)
  const toggle = (id: string, isTicked: boolean) => {
    const others = [...ticked].filter((one) => one !== id)
    chosen.set(new Set(isTicked ? [...others, id] : others))
  }
  return (
    <>
      {disks.length > 0 && (
        <fieldset className="space-y-1.5">
          <legend className="mb-1.5">Delete with it:</legend>
          {disks.map((disk) => (
            <CheckboxField
              key={disk.id}
              label={disk.name}
              hint={`${disk.id === bootDisk ? 'Boot disk, ' : ''}${aboutDisk(disk)}`}
              checked={ticked.has(disk.id)}
              disabledReason={disk.protected && `${aboutDisk(disk)}. It is protected from deletion.`}
              onChange={(isTicked) => toggle(disk.id, isTicked)}
            />
          ))}
        </fieldset>
      )}
      {disks.length > 0 && <p>Disks that are not ticked are detached.</p>}
      {!snapshots && <p>{`${snapshotsStay} ${wholesGo}`}</p>}
      {snapshots && snapshots.ofDisks.count > 0 && (
        <p>These snapshots of its disks stay: {namesText(snapshots.ofDisks)}.</p>
      )}
      {snapshots && snapshots.wholes.count > 0 && (
        <p>These snapshots of the instance are deleted with it: {namesText(snapshots.wholes)}.</p>
      )}
      {floating.length > 0 && <p>These floating IPs stay in the project: {namesText(allOf(floating))}.</p>}
    </>
  )
}

/** '10 GiB, created 3 days ago' */
const aboutDisk = ({ size, timeCreated }: Disk) =>
  `${formatSize(size)}, created ${relativeLong(timeCreated, new Date(serverNow()))}`

// The disks of at most this many instances are counted, with this many requests at a time.
const counted = 20
const limit = createSemaphore({ running: 4 })
const choices = ['delete_with_boot_disk', 'delete_with_disks', 'delete'] as const
type Choice = (typeof choices)[number]
const labels: Record<Choice, string> = {
  delete_with_boot_disk: 'Boot disks that were created with their instance',
  delete_with_disks: 'All attached disks',
  delete: 'No disks',
}

async function ofMany<R extends Instance>(
  rows: readonly R[],
  projectOf: (row: R) => string,
): Promise<Options<R>> {
  const chosen = createStore<Choice>('delete_with_boot_disk')
  const isCounted = rows.length > 0 && rows.length <= counted
  const reads = isCounted ? rows : []
  const disks = await Promise.all(
    reads.map((row) =>
      limit(async () => {
        const { items } = await load(disksQuery({ project: projectOf(row), instance: row.name }))
        return items.map((disk) => ({ ...disk, isOwn: isOwnBootDisk(row, disk) }))
      }),
    ),
  ).catch(() => undefined)
  const floating = await Promise.all(
    reads.map((row) => limit(() => floatingIpsOf({ project: projectOf(row), instance: row.name }))),
  ).catch(() => undefined)
  const all = isCounted ? disks?.flat() : undefined
  const amounts = all && {
    delete_with_boot_disk: amountOf(all.filter(({ isOwn }) => isOwn)),
    delete_with_disks: amountOf(all),
    delete: keepsDisks,
  }
  return {
    content: (
      <DisksOfMany
        ids={rows.map(({ id }) => id)}
        amounts={amounts}
        floating={isCounted ? floating?.flat() : undefined}
        chosen={chosen}
      />
    ),
    request: ({ id }) =>
      requestTo(instanceDelete, {
        params: { instance: id },
        query: { withDisks: disksDeletedBy(chosen.get()) },
      }),
    task: () => task(chosen.get()),
    tasks: choices.map(task),
  }
}

/** '3 disks, 30 GiB' */
const amountOf = (disks: readonly Disk[]) =>
  `${countOf(disks.length, 'disk')}, ${formatSize(disks.reduce((sum, { size }) => sum + size, 0))}`

function DisksOfMany({
  ids,
  amounts,
  floating,
  chosen,
}: {
  ids: string[]
  amounts: Record<Choice, string> | undefined
  /** Undefined if they are too many, or could not be read. */
  floating: readonly string[] | undefined
  chosen: Store<Choice>
}) {
  const value = useStore(chosen)
  const preview = useQuery({
    ...query(taskPreview, { body: { kind: 'instance', action: value, ids } }),
    enabled: ids.length > 0,
    throwOnError: false,
  })
  const skipped = preview.data?.skipped ?? []
  return (
    <>
      <RadioGroupField
        label="Delete with them"
        options={choices.map((one) => ({ value: one, label: labels[one], description: amounts?.[one] }))}
        value={value}
        onChange={(next) => chosen.set(choices.find((one) => one === next) ?? 'delete')}
      />
      {skipped.length > 0 && (
        <>
          <p>These are left as they are:</p>
          <SkippedReasons skipped={skipped} />
        </>
      )}
      <p>
        Disks that are not deleted are detached. {snapshotsStay} {wholesGo}
      </p>
      {!floating && <p>Floating IPs stay in their projects.</p>}
      {floating && floating.length > 0 && (
        <p>These floating IPs stay in their projects: {namesText(allOf(floating))}.</p>
      )}
    </>
  )
}
