/** The content of a database, as backups describe it. */

/** Runs a query; the rows as objects. */
export type Query = (sql: string) => Promise<readonly Record<string, unknown>[]>

/** A layer of the bytes of disks that must have bytes. */
export interface LayerFact {
  id: string
  hasParent: boolean
}

export interface Facts {
  /** The id of the database; undefined if no server was ever started on it. */
  identity: string | undefined
  /** The id of the folder with the bytes of its disks; undefined if there is none yet. */
  folder: string | undefined
  /** The last step of its schema. */
  step: string
  /** The number of rows by table. */
  rows: Record<string, number>
  layers: LayerFact[]
  /** The files that must exist, by their folders. */
  files: { folder: 'updates' | 'bundles'; id: string }[]
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Reads the facts in one snapshot, which `query` has to provide. `tables` are the tables of the database. */
export async function readFacts(query: Query, tables: readonly string[]): Promise<Facts> {
  const has = (table: string) => tables.includes(table)
  const from = async (table: string, sql: string) => (has(table) ? await query(sql) : [])
  const rows: Record<string, number> = {}
  for (const table of tables.toSorted()) {
    const [counted] = await query(`select count(*) as n from "${table.replaceAll('"', '""')}"`)
    rows[table] = Number(counted?.['n'] ?? 0)
  }
  const leases = await from('lease', 'select name, holder from lease')
  const holderOf = (name: string) => {
    const found = leases.find((one) => one['name'] === name)
    return found && text(found['holder'])
  }
  const steps = await from('kysely_migration', 'select name from kysely_migration order by name desc limit 1')
  const layers = await from('layer', 'select id, "parentId" from layer where "hasBytes" = 1')
  const repositories = await from('systemUpdateRepository', 'select "fileId" from "systemUpdateRepository"')
  const uploads = await from('systemUpdateUpload', 'select id from "systemUpdateUpload" where received > 0')
  const bundles = await from('supportBundle', `select "fileId" from "supportBundle" where state = 'active'`)
  const filesIn = (folder: 'updates' | 'bundles', ids: readonly unknown[]) =>
    ids.map((id) => ({ folder, id: text(id) }))
  return {
    identity: holderOf('identity'),
    folder: holderOf('folder of disks'),
    step: text(steps[0]?.['name']),
    rows,
    layers: layers.map((row) => ({ id: text(row['id']), hasParent: row['parentId'] !== null })),
    files: [
      ...filesIn('updates', [
        ...repositories.map((row) => row['fileId']),
        ...uploads.map((row) => row['id']),
      ]),
      ...filesIn(
        'bundles',
        bundles.map((row) => row['fileId']),
      ),
    ],
  }
}
