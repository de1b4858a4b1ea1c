import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Compilable,
} from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Tables } from '@purlin/core/ports'
import { createTableFinder } from './query-tables.ts'

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new SqliteIntrospector(of),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})
const projects = db.selectFrom('project')

describe('the tables of a statement', () => {
  it.each<[string, Compilable, string[], string[]]>([
    ['insert into', db.insertInto('usage').values({ id: '', cpus: 0, memory: 0, storage: 0 }), ['usage'], []],
    [
      'update, with a subquery',
      db.updateTable('usage').set({ cpus: 0 }).where('id', 'in', projects.select('id')),
      ['usage'],
      ['project'],
    ],
    ['delete from', db.deleteFrom('session').where('id', '=', ''), ['session'], ['session']],
    [
      'select, with an alias and joins',
      db
        .selectFrom('disk as a')
        .innerJoin('instance', (join) => join.onTrue())
        .leftJoin('sled', (join) => join.onTrue())
        .select('a.id'),
      [],
      ['disk', 'instance', 'sled'],
    ],
    [
      'a subquery among the columns, one in the source, and one that refers to an outer alias',
      db
        .selectFrom(db.selectFrom('vpc').selectAll().as('v'))
        .select((eb) => eb.selectFrom('disk').select('disk.id').limit(1).as('first'))
        .where((eb) =>
          eb.exists(eb.selectFrom('snapshot').select('snapshot.id').whereRef('snapshot.id', '=', 'v.id')),
        ),
      [],
      ['vpc', 'disk', 'snapshot'],
    ],
    ['union', projects.select('id').union(db.selectFrom('silo').select('id')), [], ['project', 'silo']],
    [
      'text in the place of a table name',
      projects.select('id').where('name', '=', 'from "disk" join "vpc"'),
      [],
      ['project'],
    ],
    ['create table', db.schema.createTable('lease').addColumn('name', 'text'), ['lease'], []],
  ])('%s', (_, query, written, read) => {
    const tables = createTableFinder()(query.compile())
    expect([tables.written, tables.read.toSorted()]).toEqual([written, read.toSorted()])
  })
})
