import { subnetsQuery } from '#/features/vpc-names/queries.ts'
import { load } from '#/api/query.ts'
import { sections, type Scope } from '#/lib/addresses.ts'
import { plainActions } from '#/resource/actions/actions.tsx'
import { closeConfirm } from '#/resource/actions/confirm.ts'
import { kinds } from '#/resource/kinds.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { ShortList } from '#/ui/value/ShortList.tsx'
import type { Router } from '#/features/vpc-names/queries.ts'

/** Actions on a router. `leave` leaves its page before it is gone. */
export const routerActions = (scope: Scope, leave?: () => unknown) =>
  plainActions(kinds.vpcRouter, scope, {
    leave,
    disabledReason: ({ kind }) => kind === 'system' && 'System routers cannot be deleted',
    note: async ([row]) => (
      <Consequences subnets={row ? await subnetsOf(row, scope) : undefined} scope={scope} />
    ),
  })

/** The names of the subnets that use a router; undefined if they cannot be read. */
const subnetsOf = ({ id }: Router, { project = '', vpc = '' }: Scope): Promise<string[] | undefined> =>
  load(subnetsQuery(project, vpc)).then(
    (subnets) => subnets.filter((one) => one.customRouterId === id).map(({ name }) => name),
    () => undefined,
  )

/** The routes that are deleted with a router. */
function Consequences({ subnets, scope }: { subnets: readonly string[] | undefined; scope: Scope }) {
  return (
    <>
      <p>Its routes are deleted too.</p>
      {!subnets && <p>Subnets that use it will have no custom router.</p>}
      {subnets && subnets.length > 0 && (
        <>
          <p>These subnets use it and will have no custom router:</p>
          <ShortList items={subnets} keyOf={(name) => name}>
            {(name) => (
              <TextLink href={sections.vpcSubnet.edit({ ...scope, name })} onClick={closeConfirm}>
                {name}
              </TextLink>
            )}
          </ShortList>
        </>
      )}
    </>
  )
}
