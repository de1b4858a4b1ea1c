import { instanceCan } from '@purlin/contract/rules/states'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { reachableIps } from '#/features/external-ips/externalIps.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import type { Instance, InstanceTarget } from '#/features/instance-state/update.ts'
import { InstanceStateBadge } from '#/resource/list/StateBadge.tsx'
import { guides, paths } from '#/lib/addresses.ts'
import { Card } from '#/ui/layout/Card.tsx'
import { CopyButton } from '#/ui/button/CopyButton.tsx'
import { ExternalLink, TextLink } from '#/ui/button/link.tsx'
import { LinkButton } from '#/ui/button/LinkButton.tsx'
import { CliCommandButton } from './CliCommandButton.tsx'
import { externalIpsQuery, instanceQuery } from './queries.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page/connect')({
  loader: ({ params }) => prefetch(externalIpsQuery(params)),
  staticData: { crumb: { label: 'Connect' } },
  component: ConnectTab,
})

const guide = (
  <span>
    Learn more in the guide{' '}
    <ExternalLink href={guides.remoteAccess.href}>{guides.remoteAccess.label}</ExternalLink>
  </span>
)

function ConnectTab() {
  const target = Route.useParams()
  const instance = useLoaded(instanceQuery(target))
  return (
    <div className="flex max-w-[740px] flex-col gap-5">
      <SerialConsoleCard target={target} instance={instance} />
      <ScreenCard target={target} instance={instance} />
      <SshCard target={target} />
    </div>
  )
}

function SerialConsoleCard({ target, instance }: { target: InstanceTarget; instance: Instance }) {
  const mayConnect = instanceCan('serialConsole', instance.runState)
  return (
    <Card
      title="Serial console"
      actions={
        <>
          <CliCommandButton target={target} />
          <LinkButton
            variant={mayConnect ? 'primary' : 'secondary'}
            size="small"
            href={paths.serialConsole(target)}
          >
            Connect
          </LinkButton>
        </>
      }
      footer={guide}
    >
      <p>Connect to the text console of the instance. It works without a network.</p>
      {!mayConnect && <Resting state={instance.runState}>console</Resting>}
    </Card>
  )
}

function ScreenCard({ target, instance }: { target: InstanceTarget; instance: Instance }) {
  const mayConnect = instanceCan('serialConsole', instance.runState)
  return (
    <Card
      title="Screen"
      actions={
        <LinkButton size="small" href={paths.screen(target)}>
          Open screen
        </LinkButton>
      }
    >
      <p>See what the guest draws, from its first second on. Machines that are simulated have no screen.</p>
      {!mayConnect && <Resting state={instance.runState}>screen</Resting>}
    </Card>
  )
}

function Resting({ state, children }: { state: Instance['runState']; children: string }) {
  return (
    <p className="mt-2 text-secondary">
      The instance is <InstanceStateBadge state={state} />. The {children} is available while it is running.
    </p>
  )
}

function SshCard({ target }: { target: InstanceTarget }) {
  const ips = useQuery({ ...externalIpsQuery(target), throwOnError: false })
  const [address] = reachableIps(ips.data?.items ?? [])
  const command = `ssh [username]@${address ?? '[external IP]'}`
  return (
    <Card title="SSH" footer={guide}>
      <p>If the guest runs an SSH server and has one of your keys, connect as a user of the guest:</p>
      <p className="mt-2.5 flex items-center gap-2 rounded-md border border-line bg-sunken py-1.5 pr-2 pl-3">
        <code className="mono min-w-0 grow wrap-anywhere">{command}</code>
        <CopyButton text={command} label="Copy SSH command" />
      </p>
      {address === undefined && ips.data && (
        <p className="mt-2.5 text-secondary">
          This instance has no external IP, so it cannot be reached from outside its VPC. Attach one on its{' '}
          <TextLink href={paths.instanceTab(target, 'networking')}>networking tab</TextLink>.
        </p>
      )}
    </Card>
  )
}
