import { certificateList } from '@purlin/contract/operations/silos/certificates'
import { useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'
import { sections } from '#/lib/addresses.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { useNow } from '#/ui/value/useNow.ts'
import { expiryLine, expiryOf } from './expiry.ts'

interface Validity {
  notBefore?: Date | undefined
  notAfter?: Date | undefined
}

/** Whether a certificate is valid, and for how long if that is short. */
export function ExpiryBadge(of: Validity) {
  const state = expiryOf(of, useNow(false))
  return state ? (
    <Badge tone={state.tone}>{state.text}</Badge>
  ) : (
    <span className="text-secondary">unknown</span>
  )
}

/** When a certificate expires, and the badge. */
export const Expiry = (of: Validity) => (
  <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
    {of.notAfter && <DateTime date={of.notAfter} />}
    <ExpiryBadge {...of} />
  </span>
)

/** A line for administrators of the silo when its certificate expires soon. */
export function ExpiryNotice() {
  const isAdmin = useRole().role === 'admin'
  const now = useNow(false)
  const { data } = useQuery({
    ...query(certificateList, { query: {} }),
    enabled: isAdmin,
    throwOnError: false,
    staleTime: 60_000,
  })
  const times = data?.items.flatMap(({ notAfter }) => (notAfter ? [notAfter.getTime()] : [])) ?? []
  const line = expiryLine(times.length === 0 ? undefined : new Date(Math.max(...times)), now)
  if (!line) return null
  return (
    <Notice tone={line.isUrgent ? 'danger' : 'info'} className="mb-4">
      {line.text} <TextLink href={sections.certificate.list()}>Certificates</TextLink>
    </Notice>
  )
}
