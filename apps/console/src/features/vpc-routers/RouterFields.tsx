import { useQuery } from '@tanstack/react-query'
import { useWatch, type Control, type FieldValues } from 'react-hook-form'
import { errorMessage } from '#/api/errors.ts'
import type { VpcTarget } from '#/lib/addresses.ts'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { routersQuery } from '#/features/vpc-names/queries.ts'
import { newRouter, noRouter } from './queries.ts'
import { formPart } from '#/ui/form/formPart.ts'

export interface RouterFieldsProps<V extends FieldValues> {
  /** Of a form with `customRouter`; and `newRouter`, if it can make one. */
  control: Control<V>
  scope: VpcTarget
  /** Offers to make a router, too. */
  canMakeOne?: boolean
}

const withRouter = formPart<{ customRouter: string; newRouter?: string }>()

/** The custom router of a subnet: none, one of the VPC, or a new one. */
export function RouterFields<V extends { customRouter: string }>({
  control: form,
  scope,
  canMakeOne = false,
}: RouterFieldsProps<V>) {
  const control = withRouter(form)
  const { data, isPending, error } = useQuery({ ...routersQuery(scope), throwOnError: false })
  const chosen = useWatch({ control, name: 'customRouter' })
  const custom = (data ?? []).filter(({ kind }) => kind === 'custom')
  return (
    <>
      <ListboxControl
        name="customRouter"
        control={control}
        label="Custom router"
        required
        loading={isPending}
        hint={
          error
            ? `Could not load the routers: ${errorMessage(error)}`
            : 'Its routes are used before those of the system router.'
        }
        items={[
          { value: noRouter, label: 'None' },
          ...custom.map(({ id, name, description }) => ({ value: id, label: name, description })),
          ...(canMakeOne
            ? [{ value: newRouter, label: 'New router', description: 'Made with the subnet, without routes' }]
            : []),
        ]}
      />
      {chosen === newRouter && <NameControl name="newRouter" control={control} label="Router name" />}
    </>
  )
}
