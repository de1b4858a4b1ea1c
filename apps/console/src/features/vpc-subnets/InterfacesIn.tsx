import { paths } from '#/lib/addresses.ts'
import { closeConfirm } from '#/resource/actions/confirm.ts'
import { TextLink } from '#/ui/button/link.tsx'
import type { FirstInterfaces } from './queries.ts'

interface InterfacesInProps extends FirstInterfaces {
  project: string
}

/** Names the first interfaces that prevent the deletion of their subnet, with links to their instances. */
export const InterfacesIn = ({ project, interfaces, hasMore }: InterfacesInProps) => (
  <>
    <p>It cannot be deleted while network interfaces are in it:</p>
    <ul className="list-disc pl-5 leading-6 text-ink">
      {interfaces.map(({ nic, instance }) => (
        <li key={nic.id}>
          {nic.name} (<span className="mono">{nic.ip}</span>)
          {instance !== undefined && (
            <>
              {' of '}
              <TextLink href={paths.instanceTab({ project, instance }, 'networking')} onClick={closeConfirm}>
                {instance}
              </TextLink>
            </>
          )}
        </li>
      ))}
      {hasMore && <li>and more</li>}
    </ul>
  </>
)
