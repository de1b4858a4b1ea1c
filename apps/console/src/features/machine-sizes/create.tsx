import { createFileRoute } from '@tanstack/react-router'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { emptySize, sizeBody, SizeControls } from './SizeControls.tsx'

export const Route = createFileRoute('/_auth/system/_machine-sizes/machine-sizes-new')({
  ...formRoute('New machine size'),
  component: () => (
    <CreateForm kind={kinds.machineSize} values={emptySize} toBody={sizeBody}>
      {({ control }) => <SizeControls control={control} />}
    </CreateForm>
  ),
})
