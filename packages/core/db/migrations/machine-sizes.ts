/** Step 0066: the sizes that forms offer for instances. The fleet starts with the ones that consoles offered before. */
import { addSearched } from './search.ts'
import { id, identity, type Db, type Step } from './step.ts'

const GiB = 1024 ** 3
const families = [
  { name: 'general', gibPerCpu: 4, description: 'A balance that suits most work' },
  { name: 'cpu', gibPerCpu: 2, description: 'For builds, encoding and batch jobs' },
  { name: 'memory', gibPerCpu: 8, description: 'For databases and caches' },
]
/** Their ids are the same in each installation. */
const idOf = (place: number) => `5a3f9c1e-7b2d-4c60-9e14-0000000000${String(place).padStart(2, '0')}`

const rowsAt = (now: number) =>
  families
    .flatMap(({ name, gibPerCpu, description }) =>
      [2, 4, 8, 16].map((ncpus) => ({
        name: `${name}-${ncpus}`,
        description,
        ncpus,
        memory: ncpus * gibPerCpu * GiB,
        timeCreated: now,
        timeModified: now,
      })),
    )
    .map((row, place) => ({ id: idOf(place + 1), ...row }))

type Known = {
  machineSize: ReturnType<typeof rowsAt>[number]
}

const size = { ncpus: 'i', memory: 'i' } as const

export const machineSizes = {
  name: '0066-machine-sizes',
  tables: {
    machineSize: { columns: { ...identity, ...size }, key: id, unique: [['name']] },
    siloMachineSize: {
      columns: { ...identity, siloId: 't', ...size },
      key: id,
      unique: [['siloId', 'name']],
      index: [['siloId', 'id']],
    },
  },
  fill: async (db: Db, { now, engine }) => {
    await db.$extendTables<Known>().insertInto('machineSize').values(rowsAt(now)).execute()
    await addSearched(db, engine, {
      kind: 'machineSize',
      table: 'machineSize',
      texts: ['name', 'description'],
    })
  },
} as const satisfies Step
