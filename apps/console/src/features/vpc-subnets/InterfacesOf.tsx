import { paths } from '#/lib/addresses.ts'
import { closeConfirm } from '#/resource/confirm.ts'
import { Reference } from '#/resource/references.tsx'
import type { Interface } from './queries.ts'

/** Names the interfaces that prevent the deletion of their subnet, with links to their instances. */
export const InterfacesOf = ({
  project,
  interfaces,
}: {
  project: string
  interfaces: readonly Interface[]
}) => (
  <>
    <p>It cannot be deleted while these network interfaces are in it:</p>
    <ul className="max-h-40 list-disc overflow-y-auto pl-5 text-ink" onClickCapture={closeAfterLink}>
      {interfaces.map(({ id, name, ip, instanceId }) => (
        <li key={id}>
          {name} (<span className="mono">{ip}</span>) of{' '}
          <Reference
            to="instance"
            id={instanceId}
            project={project}
            hrefOf={(instance) => paths.instanceTab({ project, instance }, 'networking')}
          />
        </li>
      ))}
    </ul>
  </>
)

const closeAfterLink = ({ target }: { target: EventTarget }) => {
  if (target instanceof Element && target.closest('a')) queueMicrotask(closeConfirm)
}
