/** Copies of a SQLite database that other connections write at the same time. */
import { backup, DatabaseSync } from 'node:sqlite'
import { readFacts, type Facts } from './facts.ts'

// In one step: SQLite begins again when another connection writes between two. A reader keeps no writer of a
// write-ahead log waiting.
const allPages = 2 ** 31 - 1

/** Copies a database, as it is at one moment, into a new file. */
export async function copySqlite(from: string, to: string): Promise<void> {
  const db = new DatabaseSync(from, { readOnly: true, timeout: 10_000 })
  try {
    await backup(db, to, { rate: allPages })
  } finally {
    db.close()
  }
}

/** Reads the facts of a file that no server uses. Throws an error if the file is damaged. */
export async function factsOfSqlite(path: string): Promise<Facts> {
  const db = new DatabaseSync(path)
  try {
    const [check] = db.prepare('pragma quick_check(1)').all()
    const found = check?.['quick_check']
    if (found !== 'ok') throw new Error(`the copy of the database is damaged: ${String(found)}`)
    const named = db.prepare(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'`,
    )
    const tables = named.all().map(({ name }) => String(name))
    return await readFacts((sql) => Promise.resolve(db.prepare(sql).all()), tables)
  } finally {
    db.close()
  }
}
