/** The places of a rack and what is in them, made of the rows of its hardware. */
import type { sledListUninitialized } from '@purlin/contract/operations/hardware/hardware'
import { countOf } from '@purlin/contract/rules/kinds'
import type { Item } from '#/api/everyPage.ts'
import type { Status } from '#/features/update/queries.ts'
import type { Box } from '#/lib/geometry/moves.ts'
import { pageOf } from '#/resource/address/pageOf.ts'
import { sections } from '#/lib/addresses.ts'
import type { PhysicalDisk, Sled, Switch } from '../kinds.ts'
import type { Port } from '../switches/ports.ts'
import type { Capacity } from '../parts/FleetCapacity.tsx'
import { releaseOf } from '../parts/restarting.ts'
import { cubbyText } from '../parts/words.ts'

export type NewSled = Item<typeof sledListUninitialized>

/** The hardware of one rack. */
export interface RackContents {
  sleds: readonly Sled[]
  newSleds: readonly NewSled[]
  switches: readonly Switch[]
  disks: readonly PhysicalDisk[]
  ports: readonly Port[]
  /** How much of each task that empties a sled is done, from 0 to 1, by its id. */
  progress: ReadonlyMap<string, number>
  /** How far the update is, if the server says it. */
  update?: Status | undefined
}

export type PartState = 'inService' | 'closed' | 'maintenance' | 'restarting' | 'missing' | 'new'
export const stateWords: Record<PartState, string> = {
  inService: 'in service',
  closed: 'closed',
  maintenance: 'in maintenance',
  restarting: 'restarting with its release',
  missing: 'missing',
  new: 'not added',
}

export interface Bay {
  id: string
  health: 'ok' | 'failing' | 'failed' | 'missing'
}

/** A sled or switch as the drawing shows it. */
export interface Part {
  kind: 'sled' | 'switch'
  serial: string
  href: string
  state: PartState
  since: Date | null
  capacity?: Capacity
  bays: Bay[]
  /** Whether each network link that is in use is up. */
  links: boolean[]
  /** Its faults, in words. */
  faults: string[]
  /** How far its maintenance is, in words, and from 0 to 1 while instances are moved. */
  note?: string
  progress?: number
}

/** A place of the rack, empty or not. */
export interface Place {
  key: string
  label: string
  box: Box
  part?: Part
}

/** The usual rack has cubbies above and below its switches, two in a row, counted from the bottom. */
const cubbies = { below: 16, all: 32 } as const

/** The places of a rack from top to bottom, and parts of which it is not known where they are. */
export function placesOf(rack: RackContents): { places: Place[]; unplaced: Part[] } {
  const unplaced: Part[] = []
  const byCubby = new Map<number, Part>()
  const put = (cubby: number | null | undefined, part: Part) => {
    if (typeof cubby !== 'number' || byCubby.has(cubby)) unplaced.push(part)
    else byCubby.set(cubby, part)
  }
  // One that is missing may have been replaced by another in its place.
  const bySeen = rack.sleds.toSorted(
    (a, b) => Number(Boolean(a.missingSince)) - Number(Boolean(b.missingSince)),
  )
  for (const sled of bySeen) put(sled.host?.cubby, sledPart(sled, rack))
  for (const one of rack.newSleds) put(one.cubby, newPart(one))
  const last = Math.max(cubbies.all - 1, ...byCubby.keys())
  const rowsAbove = Math.ceil((last + 1 - cubbies.below) / 2)
  const switches = rack.switches.toSorted((a, b) => (a.location ?? '').localeCompare(b.location ?? ''))
  const rowOf = (cubby: number) =>
    cubby < cubbies.below
      ? rowsAbove + switches.length + (cubbies.below / 2 - 1 - Math.floor(cubby / 2))
      : rowsAbove - 1 - Math.floor((cubby - cubbies.below) / 2)
  const inCubbies = Array.from({ length: (rowsAbove + cubbies.below / 2) * 2 }, (_, cubby): Place => {
    const part = byCubby.get(cubby)
    const box = { x: cubby % 2, y: rowOf(cubby), width: 1, height: 1 }
    return { key: `cubby-${cubby}`, label: cubbyText(cubby), box, ...(part ? { part } : {}) }
  })
  const between = switches.map((one, i): Place => {
    const box = { x: 0, y: rowsAbove + i, width: 2, height: 1 }
    return { key: one.id, label: one.location ?? `Switch ${i}`, box, part: switchPart(one, rack) }
  })
  const places = [...inCubbies, ...between].toSorted((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)
  return { places, unplaced }
}

function sledPart(sled: Sled, { disks, progress, update }: RackContents): Part {
  const { id, baseboard, missingSince, host, capacity } = sled
  const bays = missingSince ? [] : disks.filter(({ sledId }) => sledId === id).map(bayOf)
  const links = missingSince ? [] : (host?.links ?? [])
  return {
    kind: 'sled',
    serial: baseboard.serial,
    href: pageOf('sled', { name: '', id }),
    state: stateOf(sled, update),
    since: missingSince ?? null,
    ...(capacity ? { capacity } : {}),
    bays,
    links: links.map(({ state }) => state === 'up'),
    faults: [
      ...(['failing', 'failed', 'missing'] as const).flatMap((health) => {
        const count = bays.filter((bay) => bay.health === health).length
        return count > 0 ? [`${countOf(count, 'disk')} ${health}`] : []
      }),
      ...links.filter(({ state }) => state === 'down').map(({ name }) => `link ${name} down`),
    ],
    ...maintenanceOf(sled, progress),
  }
}

function stateOf(sled: Sled, update: Status | undefined): PartState {
  const { policy, missingSince, maintenance } = sled
  if (missingSince) return missingState(sled, update)
  if (maintenance) return 'maintenance'
  return policy.kind === 'in_service' && policy.provisionPolicy === 'provisionable' ? 'inService' : 'closed'
}

/** The state of a part that does not answer. */
const missingState = (part: Sled | Switch, update: Status | undefined): PartState =>
  releaseOf(update, part) === undefined ? 'missing' : 'restarting'

function maintenanceOf(
  { maintenance }: Sled,
  progress: RackContents['progress'],
): Pick<Part, 'note' | 'progress'> {
  if (!maintenance) return {}
  const { state, remaining, taskId } = maintenance
  const done = state === 'evacuating' ? progress.get(taskId ?? '') : undefined
  return {
    note: state === 'empty' ? 'empty' : `${countOf(remaining, 'instance')} left`,
    ...(done === undefined ? {} : { progress: done }),
  }
}

const bayOf = ({ id, health = 'ok', missingSince }: PhysicalDisk): Bay => ({
  id,
  health: missingSince ? 'missing' : health,
})

const newPart = ({ baseboard }: NewSled): Part => ({
  kind: 'sled',
  serial: baseboard.serial,
  // The list of sleds offers to add it.
  href: sections.sled.list(),
  state: 'new',
  since: null,
  bays: [],
  links: [],
  faults: [],
})

function switchPart(one: Switch, { ports, update }: RackContents): Part {
  const { id, baseboard, missingSince } = one
  // A port that was never up has no cable.
  const used = missingSince ? [] : ports.filter(({ switchId, link }) => switchId === id && link?.since)
  const down = used.filter(({ link }) => link?.state === 'down').map(({ portName }) => portName)
  return {
    kind: 'switch',
    serial: baseboard.serial,
    href: pageOf('switch', { name: '', id }),
    state: missingSince ? missingState(one, update) : 'inService',
    since: missingSince ?? null,
    bays: [],
    links: used.map(({ link }) => link?.state === 'up'),
    faults: down.map((name) => `link ${name} down`),
  }
}

export type LoadOf = 'threads' | 'memory'

/** The reserved share of a resource, from 0 to 1; undefined for a part without any or that is missing. */
export function loadOf({ capacity, state }: Part, of: LoadOf): number | undefined {
  if (!capacity || state === 'missing' || capacity[of].usable === 0) return undefined
  return Math.min(1, capacity[of].reserved / capacity[of].usable)
}

const percent = (share: number) => `${Math.round(100 * share)}%`

/** A place with its part, in one line. */
export function describe({ label, part }: Place): string {
  if (!part) return `${label}: empty`
  const [threads, memory] = [loadOf(part, 'threads'), loadOf(part, 'memory')]
  const load =
    threads === undefined || memory === undefined
      ? []
      : [`${percent(threads)} of the threads and ${percent(memory)} of the memory reserved`]
  return `${label}: ${[`${part.kind} ${part.serial}`, stateWords[part.state], ...(part.note ? [part.note] : []), ...part.faults, ...load].join(', ')}`
}
