import { paths } from '#/lib/addresses.ts'
import { closeConfirm } from '#/resource/actions/confirm.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { ShortList } from '#/ui/value/ShortList.tsx'
import type { FirstInterfaces } from './queries.ts'

interface InterfacesInProps extends FirstInterfaces {
  project: string
}

/** Names the first interfaces that prevent the deletion of their subnet, with links to their instances. */
export const InterfacesIn = ({ project, interfaces, hasMore }: InterfacesInProps) => (
  <>
    <p>It cannot be deleted while network interfaces are in it:</p>
    <ShortList items={interfaces} hasMore={hasMore} keyOf={({ nic }) => nic.id}>
      {({ nic, instance }) => (
        <>
          {nic.name} (<span className="mono">{nic.ip}</span>)
          {instance !== undefined && (
            <>
              {' of '}
              <TextLink href={paths.instanceTab({ project, instance }, 'networking')} onClick={closeConfirm}>
                {instance}
              </TextLink>
            </>
          )}
        </>
      )}
    </ShortList>
  </>
)
