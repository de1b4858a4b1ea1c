/** The users that the control plane itself acts as. They belong to no silo and cannot sign in. */
import { builtinUserId } from '#/db/rows/builtin-ids.ts'

const since = new Date('2026-01-01T00:00:00Z')

const texts = {
  'db-init': 'Fills a new database',
  'external-authn': 'Finds out whose session a request carries',
  'external-scim': 'Finds out which client a provisioning request comes from',
  'internal-api': 'Answers requests of other parts of the control plane',
  'internal-read': 'Reads on behalf of the control plane',
  'saga-recovery': 'Completes work that was interrupted',
  'service-balancer': 'Distributes the control plane over sleds',
}

/** By name. */
export const builtinUsers = Object.entries(texts).map(([name, description], i) => ({
  id: builtinUserId(i + 1),
  name,
  description,
  timeCreated: since,
  timeModified: since,
}))
