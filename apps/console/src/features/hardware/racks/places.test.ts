import { expect, it } from 'vitest'
import { describe as describePlace, loadOf, placesOf, type RackContents } from './places.ts'

const time = new Date(0)
const times = { timeCreated: time, timeModified: time }
type Sled = RackContents['sleds'][number]
const sled = (id: string, cubby: number | null, more: Partial<Sled> = {}): Sled => ({
  id,
  rackId: 'rack',
  baseboard: { part: 'P', serial: `S-${id}`, revision: 1 },
  policy: { kind: 'in_service', provisionPolicy: 'provisionable' },
  state: 'active',
  usableHardwareThreads: 4,
  usablePhysicalRam: 8,
  host: {
    vendor: 'V',
    model: 'M',
    cpuModel: 'C',
    cpuFamily: 'other',
    accelerator: 'kvm',
    cubby,
    temperature: null,
    links: [{ name: 'net0', state: 'up', speed: 1 }],
  },
  ...times,
  ...more,
})
const one = (location: string): RackContents['switches'][number] => ({
  id: location,
  rackId: 'rack',
  location,
  baseboard: { part: 'P', serial: `W-${location}`, revision: 1 },
  ...times,
})
const port = (portName: string, state: 'up' | 'down', since: Date | null): RackContents['ports'][number] => ({
  id: portName,
  rackId: 'rack',
  switchLocation: 'switch0',
  switchId: 'switch0',
  portName,
  link: { state, speed: null, since },
})
const empty: RackContents = {
  sleds: [],
  newSleds: [],
  switches: [],
  disks: [],
  ports: [],
  progress: new Map(),
}
const filled = (rack: RackContents) =>
  placesOf(rack).places.flatMap(({ label, box, part }) => (part ? [[label, box.x, box.y, part.state]] : []))

it('cubbies count from the bottom, two in a row, with the switches between both halves', () => {
  const rack = {
    ...empty,
    sleds: [sled('a', 0), sled('b', 15), sled('c', 16), sled('d', 31)],
    switches: [one('switch1'), one('switch0')],
  }
  expect(filled(rack)).toEqual([
    ['Cubby 31', 1, 0, 'inService'],
    ['Cubby 16', 0, 7, 'inService'],
    ['switch0', 0, 8, 'inService'],
    ['switch1', 0, 9, 'inService'],
    ['Cubby 15', 1, 10, 'inService'],
    ['Cubby 0', 0, 17, 'inService'],
  ])
  expect(placesOf(rack).places).toHaveLength(34)
})

it('a higher cubby than usual has a place, and a sled without one is still named', () => {
  const { places, unplaced } = placesOf({ ...empty, sleds: [sled('a', 35), sled('b', null)] })
  expect(places[1]).toMatchObject({ label: 'Cubby 35', box: { y: 0 } })
  expect(unplaced).toMatchObject([{ serial: 'S-b' }])
})

it('a sled that replaces a missing one has its place', () => {
  const rack = { ...empty, sleds: [sled('old', 2, { missingSince: time }), sled('new', 2)] }
  expect(placesOf(rack).places.find(({ part }) => part)?.part?.serial).toBe('S-new')
  expect(placesOf(rack).unplaced).toMatchObject([{ serial: 'S-old', state: 'missing' }])
})

it('a part that restarts with its release is not missing', () => {
  const at = (id: string) => ({
    kind: 'sled' as const,
    id,
    serial: '',
    phase: 'installing' as const,
    since: time,
  })
  const update = {
    targetRelease: { version: '1.1.0', timeRequested: time },
    componentsByReleaseVersion: {},
    timeLastStepPlanned: time,
    suspended: false,
    step: at('a'),
  }
  const sleds = [sled('a', 2, { missingSince: time }), sled('b', 3, { missingSince: time })]
  const switches = [{ ...one('switch0'), missingSince: time }]
  const statesIn = (rack: RackContents) => placesOf(rack).places.flatMap(({ part }) => part?.state ?? [])
  const rack = { ...empty, sleds, switches }
  expect(statesIn({ ...rack, update })).toEqual(['missing', 'restarting', 'missing'])
  expect(statesIn({ ...rack, update: { ...update, step: at('switch0') } })).toEqual([
    'restarting',
    'missing',
    'missing',
  ])
  expect(statesIn(rack)).toEqual(['missing', 'missing', 'missing'])
})

it('says all faults in words', () => {
  const share = (reserved: number) => ({ usable: 4, reserved, used: null })
  const closed = sled('a', 0, {
    policy: { kind: 'in_service', provisionPolicy: 'non_provisionable' },
    capacity: { threads: share(1), memory: share(3), storage: share(0) },
  })
  const disk = {
    id: 'disk',
    sledId: 'a',
    vendor: 'V',
    model: 'M',
    serial: 'D',
    formFactor: 'u2' as const,
    policy: { kind: 'in_service' as const },
    state: 'active' as const,
    ...times,
  }
  const rack: RackContents = {
    ...empty,
    sleds: [
      closed,
      sled('gone', 1, { missingSince: time }),
      sled('out', 3, { maintenance: { since: time, state: 'evacuating', remaining: 2, taskId: 'task' } }),
    ],
    progress: new Map([['task', 0.5]]),
    newSleds: [{ baseboard: { part: 'P', serial: 'S-new', revision: 1 }, rackId: 'rack', cubby: 2 }],
    switches: [one('switch0')],
    disks: [
      { ...disk, health: 'failing' },
      { ...disk, id: 'other', missingSince: time },
    ],
    ports: [port('qsfp0', 'down', time), port('qsfp1', 'up', time), port('qsfp2', 'down', null)],
  }
  const { places } = placesOf(rack)
  expect(places.filter(({ part }) => part).map(describePlace)).toEqual([
    'switch0: switch W-switch0, in service, link qsfp0 down',
    'Cubby 2: sled S-new, not added',
    'Cubby 3: sled S-out, in maintenance, 2 instances left',
    'Cubby 0: sled S-a, closed, 1 disk failing, 1 disk missing, 25% of the threads and 75% of the memory reserved',
    'Cubby 1: sled S-gone, missing',
  ])
  expect(places.flatMap(({ part }) => (part ? [loadOf(part, 'memory')] : []))).toEqual([
    undefined,
    undefined,
    undefined,
    0.75,
    undefined,
  ])
  expect(places.flatMap(({ part }) => part?.progress ?? [])).toEqual([0.5])
})
