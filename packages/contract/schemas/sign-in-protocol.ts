/** The protocols that identity providers of silos speak. */
import { enumOf, ref } from '#/schema.ts'

export const SignInProtocol = ref('SignInProtocol', enumOf(['saml', 'oidc']))
