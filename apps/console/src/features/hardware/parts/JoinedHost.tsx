import { transport } from '#/api/transport.ts'
import { sections } from '#/lib/addresses.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { host } from '../hosts/hosts.ts'
import type { Sled } from '../kinds.ts'

/** The process that a sled is part of, with a link to those that have joined. A dash for one that was forgotten. */
export function JoinedHost({ joinedHost }: Pick<Sled, 'joinedHost'>) {
  if (joinedHost === undefined) return <Dash />
  if (joinedHost === null) return transport().preview ? 'This page' : 'The server'
  return (
    <TextLink href={sections.host.list()} className="mono">
      {host.labelOf(joinedHost)}
    </TextLink>
  )
}
