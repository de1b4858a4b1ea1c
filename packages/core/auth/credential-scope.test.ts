import { readdirSync } from 'node:fs'
import { isReading, type OpShape } from '@purlin/contract/op'
import { operations } from '@purlin/contract/operations'
import { expect, it } from 'vitest'
import { outsideOf } from './credential-scope.ts'

const contract = new URL('../../contract/operations/', import.meta.url)
const key = { isKey: true, isReadOnly: false, projectId: null }

/** The names of the operations on access and silos that change something for an actor. */
async function changing(): Promise<string[]> {
  const files = ['access', 'silos'].flatMap((folder) =>
    readdirSync(new URL(folder, contract)).map((file) => new URL(`${folder}/${file}`, contract).href),
  )
  const modules = (await Promise.all(files.map((file) => import(file)))) as Record<string, unknown>[]
  const exported = new Set(modules.flatMap((one) => Object.values(one)))
  const found: [string, OpShape][] = Object.entries(operations)
  return found
    .filter(
      ([, op]) => exported.has(op) && !isReading(op.method) && op.allow !== 'public' && op.allow !== 'scim',
    )
    .map(([name]) => name)
    .toSorted()
}

/** A new operation goes to `null` only if nothing that it makes or changes lets anyone sign in. */
it('a key makes nothing to sign in with: each operation on access and silos is decided', async () => {
  const limits = Map.groupBy(await changing(), (name) =>
    outsideOf(key, (operations as Record<string, OpShape>)[name] as OpShape),
  )
  expect(Object.fromEntries(limits)).toMatchInlineSnapshot(`
    {
      "key": [
        "currentUserAccessTokenCreate",
        "currentUserPasswordUpdate",
        "currentUserRecoveryCodesReplace",
        "currentUserSecondFactorBegin",
        "currentUserSecondFactorConfirm",
        "deviceAuthConfirm",
        "localIdpUserActivate",
        "localIdpUserCreate",
        "localIdpUserResetSecondFactor",
        "localIdpUserSetPassword",
        "oidcIdentityProviderCreate",
        "oidcIdentityProviderUpdate",
        "samlIdentityProviderCreate",
        "samlIdentityProviderUpdate",
        "scimTokenCreate",
        "serviceAccountKeyCreate",
      ],
      "null": [
        "authSettingsUpdate",
        "certificateCreate",
        "certificateDelete",
        "currentUserAccessTokenDelete",
        "currentUserSecondFactorDelete",
        "currentUserSecondFactorUpdate",
        "currentUserSshKeyCreate",
        "currentUserSshKeyDelete",
        "firstStepsUpdate",
        "localIdpGroupCreate",
        "localIdpGroupDelete",
        "localIdpGroupMemberRemove",
        "localIdpGroupMembersAdd",
        "localIdpGroupUpdate",
        "localIdpUserDeactivate",
        "localIdpUserDelete",
        "oidcIdentityProviderDelete",
        "policyUpdate",
        "samlIdentityProviderDelete",
        "scimTokenDelete",
        "scimTokenDeleteAll",
        "serviceAccountCreate",
        "serviceAccountDelete",
        "serviceAccountKeyDelete",
        "serviceAccountUpdate",
        "signInTestBegin",
        "siloCreate",
        "siloDelete",
        "siloPolicyUpdate",
        "siloQuotasUpdate",
        "siloUpdate",
        "systemPolicyUpdate",
        "userLogout",
        "userSessionDelete",
      ],
    }
  `)
})
