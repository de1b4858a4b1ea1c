import { authSettingsView } from '@purlin/contract/operations/access/access-tokens'
import { query } from '#/api/query.ts'

/** How the users of the silo sign in, and how long it allows access tokens to be valid. */
export const signInSettings = query(authSettingsView, {})
