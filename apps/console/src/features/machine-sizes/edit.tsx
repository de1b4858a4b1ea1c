import { createFileRoute } from '@tanstack/react-router'
import { fresh, loadRowToEdit, rowRoute } from '#/resource/address/routeOptions.tsx'
import { EditForm } from '#/resource/form/EditForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { sizeBody, SizeControls, sizeValues } from './SizeControls.tsx'

export const Route = createFileRoute('/_auth/system/_machine-sizes/machine-sizes/$machineSize/edit')({
  ...rowRoute(kinds.machineSize, { label: 'Edit machine size' }),
  ...fresh,
  loader: (match) => loadRowToEdit(kinds.machineSize, match),
  component: () => (
    <EditForm kind={kinds.machineSize} values={sizeValues} toBody={sizeBody}>
      {({ control }) => <SizeControls control={control} />}
    </EditForm>
  ),
})
