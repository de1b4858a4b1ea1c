import { authSettingsView } from '@purlin/contract/operations/access/access-tokens'
import { query } from '#/api/query.ts'

/** How long the silo allows access tokens to be valid. */
export const settingsQuery = query(authSettingsView, {})
