import { useNavigate } from '@tanstack/react-router'
import { readAnew } from '#/api/query.ts'
import { sections } from '#/lib/addresses.ts'
import { useActions, useMenuInPalette } from '#/resource/actions/actions.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { roleScope } from '#/resource/kind.ts'
import { Card } from '#/ui/layout/Card.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { Table } from '#/ui/table/Table.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { descriptionProperty, idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { configsQuery } from '../bgp/queries.ts'
import { SwitchChange } from '../change/SwitchChange.tsx'
import { settingsActions } from './actions.tsx'
import { bodyOfSettings, draftOf } from './draft.ts'
import { portSettings, settingsQuery } from './queries.ts'
import type { Row, RowTable } from '#/resource/form/rowTable.ts'
import { rowTables, type RowTableName } from './rows.ts'
import { keysOf } from '@purlin/contract/rules/keys'
import { textOf } from './words.ts'

const { icon: Icon } = portSettings

/** Saved settings: each of their tables. */
export function Settings({ port }: { port: string }) {
  const navigate = useNavigate()
  const settings = useLoaded(settingsQuery(port))
  const configs = new Map(useLoaded(configsQuery).map((one) => [one.id, one.name]))
  const draft = draftOf(bodyOfSettings(settings, configs))
  const leave = async () => {
    await readAnew(portSettings.list)
    await navigate({ href: sections.switchPortSettings.list() })
  }
  const { menu, dialog } = useActions(settingsActions({ leave }), {}, roleScope(portSettings, {}))
  const items = menu(settings)
  useMenuInPalette(items)
  return (
    <>
      <PageHeader icon={<Icon />} title={settings.name}>
        <PageMenu label="Port settings actions" items={items} />
      </PageHeader>
      <SwitchChange />
      <PropertiesTable
        properties={[
          descriptionProperty(settings.description),
          { label: 'Geometry', value: <span className="mono">{settings.port.geometry}</span> },
          { label: 'Created', value: <DateTime date={settings.timeCreated} /> },
          idProperty(settings.id),
        ]}
      />
      <div className="mt-6 flex flex-col gap-6">
        {keysOf(rowTables).map((name) => (
          <Part key={name} name={name} rows={draft[name]} />
        ))}
      </div>
      {dialog}
    </>
  )
}

/** One of the tables, with every field that has a value in any row. */
function Part({ name, rows }: { name: RowTableName; rows: readonly Row[] }) {
  const table: RowTable = rowTables[name]
  if (rows.length === 0) return null
  const fields = table.fields.filter((field) => rows.some((row) => textOf(table, field.name, row) !== '–'))
  return (
    <Card flush title={table.title}>
      <Table
        label={table.title}
        className="rounded-none border-0"
        columns={fields.map((field, i) => ({
          id: field.name,
          header: field.label,
          mono: true,
          isRowHeader: i === 0,
          cell: (row: { row: Row }) => textOf(table, field.name, row.row),
        }))}
        rows={rows.map((row, i) => ({ row, key: String(i) }))}
        rowKey={({ key }) => key}
      />
    </Card>
  )
}
