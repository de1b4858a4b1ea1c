import { useQuery } from '@tanstack/react-query'
import { failure } from '#/api/errors.ts'
import { Button } from '#/ui/Button.tsx'
import { FormErrorBanner } from '#/ui/FormErrorBanner.tsx'
import { Table } from '#/ui/table/Table.tsx'
import { ruleColumns } from './columns.tsx'
import { inOrder, rulesQuery } from './queries.ts'
import type { VpcTarget } from '#/lib/addresses.ts'

/** The firewall rules of a VPC in the order of evaluation. */
export function RulesTable({ target }: { target: VpcTarget }) {
  const { data, error, refetch } = useQuery(rulesQuery(target))
  if (error && !data)
    return (
      <div className="flex flex-col items-start gap-3">
        <FormErrorBanner issues={[failure(error)]} />
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    )
  return (
    <Table
      label="Firewall rules"
      columns={ruleColumns(target)}
      rows={inOrder(data?.rules ?? [])}
      rowKey={({ id }) => id}
      skeletonRows={data ? 0 : 3}
    />
  )
}
