import { createFileRoute, useNavigate } from '@tanstack/react-router'
import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import { load } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { lazily } from '#/lib/lazily.tsx'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { useSiloAdminReason } from '#/resource/role/useSiloAdminReason.ts'
import { Button } from '#/ui/button/Button.tsx'
import { SideModal } from '#/ui/overlay/SideModal.tsx'
import { testQuery } from '../queries.ts'
import { Outcome } from './Outcome.tsx'
import { TestSignIn } from './TestSignIn.tsx'

const NoTest = lazily(() => import('./NoTest.tsx'), 'NoTest')

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/_idps/idps/tests/$test')({
  ...formRoute('Test of a sign-in'),
  loader: ({ params }) => load(testQuery(params.test)),
  component: ViewTest,
  errorComponent: ({ error }) => <NoTest error={error} />,
})

function ViewTest() {
  const { silo, test: id } = Route.useParams()
  const test = useLoaded(testQuery(id))
  const navigate = useNavigate()
  const close = () => void navigate({ href: paths.siloTab(silo, 'idps') })
  return (
    <SideModal
      title="Test of a sign-in"
      resource={{ icon: Fingerprint, name: test.providerName }}
      onDismiss={close}
      footer={
        <>
          <TestSignIn
            silo={silo}
            provider={test.providerName}
            label="Test again"
            disabledReason={useSiloAdminReason(silo)}
          />
          <Button onClick={close}>Close</Button>
        </>
      }
    >
      <Outcome test={test} />
    </SideModal>
  )
}
