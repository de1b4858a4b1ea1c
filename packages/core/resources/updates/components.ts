/** The components that releases are installed on, and the order in which they are updated. */
import type { UnitKind } from '@purlin/contract/rules/updates'
import { insertRow } from '#/db/prepared.ts'
import type { Tx, UpdateComponentTable } from '#/db/tables.ts'
import type { Hardware } from '#/ports.ts'

export type Component = UpdateComponentTable

/** Writes the components of a report. One that it leaves out is missing since then, unless its unit is spared. */
export async function recordComponents(
  tx: Tx,
  report: Hardware,
  { now, spared }: { now: number; spared: ReadonlySet<string> },
): Promise<void> {
  const before = new Map((await componentsIn(tx)).map((row) => [row.id, row]))
  for (const { id, kind, sledId, switchId, version } of report.components) {
    const known = before.get(id)
    before.delete(id)
    const unitKind = sledId === null ? 'switch' : 'sled'
    const versionSince = known && known.version === version ? known.versionSince : now
    const row = {
      id,
      kind,
      unitKind,
      unitId: sledId ?? switchId ?? '',
      version,
      versionSince,
      missingSince: null,
    } as const
    if (!known) await insertRow(tx, 'updateComponent', row)
    else if (known.version !== version || known.missingSince !== null)
      await tx.updateTable('updateComponent').set(row).where('id', '=', id).execute()
  }
  for (const { id, unitId, missingSince } of before.values())
    if (missingSince === null && !spared.has(unitId))
      await tx.updateTable('updateComponent').set({ missingSince: now }).where('id', '=', id).execute()
}

/** All components, those of one kind together. */
const componentsIn = (tx: Tx): Promise<Component[]> =>
  tx.selectFrom('updateComponent').selectAll().orderBy('kind').orderBy('id').execute()

/** A switch or a sled with its components. */
export interface Unit {
  kind: UnitKind
  id: string
  serial: string
  missingSince: number | null
  components: Component[]
}

/**
 * The units in the order in which they are updated. The switches come first: if one fails, no instance has been moved
 * yet, and its twin carries the traffic. Sleds follow in the order of their serial numbers. Those that are out of service
 * for good are left out.
 */
export async function unitsIn(tx: Tx): Promise<Unit[]> {
  const switches = await tx
    .selectFrom('switch')
    .select(['id', 'serial', 'missingSince'])
    .orderBy('location')
    .execute()
  const sleds = await tx
    .selectFrom('sled')
    .select(['id', 'serial', 'missingSince'])
    .where((eb) => eb.or([eb('policy', 'is', null), eb('policy', '<>', 'expunged')]))
    .orderBy('serial')
    .orderBy('id')
    .execute()
  const components = await componentsIn(tx)
  const of = (kind: UnitKind) => (row: Omit<Unit, 'kind' | 'components'>) => ({
    ...row,
    kind,
    components: components.filter(({ unitId }) => unitId === row.id),
  })
  return [...switches.map(of('switch')), ...sleds.map(of('sled'))]
}

/** The hash of the artifact that a release has for each kind of component. */
export type Artifacts = ReadonlyMap<string, string>

export async function artifactsOf(tx: Tx, repositoryId: string): Promise<Artifacts> {
  const rows = await tx
    .selectFrom('updateArtifact')
    .select(['kind', 'hash'])
    .where('repositoryId', '=', repositoryId)
    .execute()
  return new Map(rows.map(({ kind, hash }) => [kind, hash]))
}

/** The components of a unit that a release is to be installed on. */
export const pendingOn = (
  { components }: Pick<Unit, 'components'>,
  artifacts: Artifacts,
  version: string,
): Component[] => components.filter((one) => artifacts.has(one.kind) && one.version !== version)
