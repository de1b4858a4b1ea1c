/** Sign-in with an identity provider (OpenID Connect, code flow with PKCE). Decision 0076. */
import { limits } from '@purlin/contract/rules/limits'
import { claimsRead, personIn, saidIn } from '#/auth/sign-in/oidc-claims.ts'
import {
  answeredRequest,
  type Browser,
  newRequest,
  requestLifetimeMs,
  type Use,
} from '#/auth/sign-in/provider-requests.ts'
import { subjectProblem } from '#/auth/sign-in/proven-names.ts'
import { fieldsIn } from '#/auth/sign-in/provider-form.ts'
import { signInProven } from '#/auth/sign-in/proven-users.ts'
import { endSessionsIn } from '#/auth/sessions.ts'
import { relayStateOf, returnAddress } from '#/auth/sign-in/return-address.ts'
import { checkRelative, providerIn } from '#/auth/sign-in/sign-in-address.ts'
import { signInLimitsOf } from '#/auth/sign-in/sign-in-limits.ts'
import { concludeTest, type NoteSaid, openTest, type Verified } from '#/auth/sign-in/sign-in-tests.ts'
import { spend } from '#/auth/sign-in/spent-answers.ts'
import type { Family, RequestContext, World } from '#/context.ts'
import type { OidcProviderTable, Tx } from '#/db/tables.ts'
import { evenWhileFull } from '#/db/while-full.ts'
import { fault } from '#/faults.ts'
import { type OidcAnswer, type OidcLogout, OidcRefused, OidcUnreachable } from '#/ports.ts'
import { clientOf, oidcOf, oidcOfProvider, scopesOf } from '../silos/oidc-providers.ts'

type Names = { siloName: string; providerName: string }
type Found = Awaited<ReturnType<typeof providerNamed>>

export const oidcLogin: Family<'loginOidcBegin' | 'loginOidc' | 'loginOidcLogout'> = {
  loginOidcBegin: {
    async withoutTransaction(ctx, { params, query: { redirectUri } }) {
      if (redirectUri !== undefined) checkRelative(redirectUri)
      const { oidc } = await providerNamed(ctx.world, params)
      const { url, cookie } = await oidcRequest(ctx, {
        names: params,
        oidc,
        use: 'signIn',
        back: redirectUri,
      })
      ctx.answer.location = url
      ctx.cookies.push(cookie)
    },
  },

  loginOidc: {
    async withoutTransaction(ctx, { params, query }) {
      const found = await providerNamed(ctx.world, params)
      const { silo, oidc } = found
      ctx.audit.account({ id: silo.id, name: silo.name })
      const { errorDescription, ...more } = query
      const answer = { ...more, error_description: errorDescription }
      const { id } = stateIn(answer)
      const named = { providerId: oidc.id, requestId: id }
      const test = await openTest(ctx, browserOf(ctx, params, 'test'), named)
      await signInLimitsOf(ctx.world).answer(ctx.remote, () => {
        if (!test) return signIn(ctx, { params, found, answer })
        const { browser } = test
        const verify = (note: NoteSaid) => verified(ctx, { params, found, answer, browser, note })
        return concludeTest(ctx, test, { siloName: silo.name, verify })
      })
    },
  },

  loginOidcLogout: {
    async withoutTransaction(ctx, { params, body }) {
      const { logout_token: token } = fieldsIn(body, ['logout_token'])
      if (token === undefined) throw fault.badForm('missing field `logout_token`')
      const { silo, oidc } = await providerNamed(ctx.world, params)
      ctx.audit.account({ id: silo.id, name: silo.name })
      await signInLimitsOf(ctx.world).answer(ctx.remote, async () => {
        const logout = await oidcOf(ctx.world).readLogout(clientOf(oidc), token, ctx.now).catch(asFault)
        await endSessions(ctx, oidc.id, logout)
      })
    },
  },
}

/** Between the id of a request and the address to return to. Neither has one. */
const separator = '.'

/** The id of the request that an answer names, and the address to return to. */
function stateIn({ state = '' }: OidcAnswer): { id: string; relayState: string | undefined } {
  const [id = '', relayState] = state.split(separator, 2)
  return { id, relayState }
}

/** A request that only this browser can have answered. */
export async function oidcRequest(
  ctx: RequestContext,
  { names, oidc, use, back }: { names: Names; oidc: OidcProviderTable; use: Use; back?: string | undefined },
): Promise<{ id: string; url: string; cookie: string }> {
  const { id, nonce, verifier, cookie } = newRequest(ctx.world, browserOf(ctx, names, use))
  const state = `${id}${separator}${relayStateOf(back)}`
  const request = { state, nonce, verifier, scopes: [...new Set(['openid', ...scopesOf(oidc)])] }
  const url = await oidcOf(ctx.world)
    .requestUrl({ ...clientOf(oidc), redirectUrl: redirectUrlOf(ctx, names) }, request)
    .catch(asFault)
  return { id, url, cookie }
}

interface Answering {
  params: Names
  found: Found
  answer: OidcAnswer
}

/** Signs the user in whom an answer names, if this browser has asked for it. Throws 400, 401, 503. */
async function signIn(ctx: RequestContext, answering: Answering): Promise<void> {
  const browser = browserOf(ctx, answering.params, 'signIn')
  const { proven, spent, request } = await verified(ctx, { ...answering, browser })
  await signInProven(ctx, proven, (tx) => spend(tx, ctx.world, spent))
  ctx.cookies.push(request.cookie)
  ctx.answer.location = returnAddress(stateIn(answering.answer).relayState) ?? '/'
}

/** The person in an answer that this browser has asked for. Throws 400, 503. */
async function verified(
  ctx: RequestContext,
  { params, found: { silo, oidc }, answer, browser, note }: Answering & { browser: Browser; note?: NoteSaid },
): Promise<Verified> {
  const { world, now } = ctx
  const { state = '' } = answer
  const { id, relayState } = stateIn(answer)
  const request = answeredRequest(world, browser, id)
  if (request === undefined) throw refused('this browser has not sent the request that the answer names')
  // One of another site is refused before the code is used.
  returnAddress(relayState)
  const { nonce, verifier } = request
  const client = { ...clientOf(oidc), redirectUrl: redirectUrlOf(ctx, params) }
  const claims = await oidcOf(world)
    .redeem(client, answer, { state, nonce, verifier, now, wanted: claimsRead(oidc) })
    .catch(asFault)
  note?.(saidIn(claims, oidc))
  const person = personIn(claims, oidc)
  if ('problem' in person) throw refused(person.problem)
  // PostgreSQL has no text with NUL.
  const problem = subjectProblem(claims.sub, 'no claim sub in the ID token')
  if (problem !== undefined) throw refused(problem)
  const { sid } = claims
  const session = {
    providerId: oidc.id,
    providerSubject: claims.sub,
    providerSession: typeof sid === 'string' && subjectProblem(sid, '') === undefined ? sid : null,
  }
  const spent = { key: `request ${oidc.id} ${nonce}`, name: 'answer', untilMs: requestLifetimeMs }
  return { proven: { ...person, silo, session }, spent, request }
}

/** Ends the sessions that a provider names. Throws 400 for a token that has been used before. */
async function endSessions(
  { world, audit }: RequestContext,
  providerId: string,
  logout: OidcLogout,
): Promise<void> {
  const { logoutAgeMs } = limits.oidc
  const spent = {
    key: `logout ${providerId} ${logout.tokenId}`,
    name: 'logout token',
    untilMs: logoutAgeMs + 2 * limits.saml.skewMs,
  }
  await evenWhileFull(() =>
    world.engine.transaction('write', async (tx, pipelineWithCommit) => {
      await spend(tx, world, spent)
      const named = sessionsNamed(tx, providerId, logout)
      const one = await tx
        .selectFrom('siloUser')
        .select(['id', 'displayName as name'])
        .where('id', 'in', named.select('siloUserId'))
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      // A logout that ends nothing is not recorded.
      if (!one) return
      audit.signedIn(one)
      await audit.attempt({ tx, pipelineWithCommit }, () => endSessionsIn(tx, named))
    }),
  )
}

/** The sessions are never listed: thousands may share one of the provider. */
function sessionsNamed(tx: Tx, providerId: string, { subject, session }: OidcLogout) {
  const all = tx.selectFrom('session').where('providerId', '=', providerId)
  const ofUser = subject === undefined ? all : all.where('providerSubject', '=', subject)
  if (session === undefined) return ofUser
  // Providers may not name the session when it begins.
  const orUnnamed = subject !== undefined
  return ofUser.where((eb) =>
    eb.or([eb('providerSession', '=', session), ...(orUnnamed ? [eb('providerSession', 'is', null)] : [])]),
  )
}

const refused = fault.refusedAnswer

function asFault(error: unknown): never {
  if (error instanceof OidcRefused) throw refused(error.message)
  if (error instanceof OidcUnreachable)
    throw fault.unavailable(`the identity provider does not answer: ${error.message}`)
  throw error
}

const pathOf = ({ siloName, providerName }: Names): string => `/login/${siloName}/oidc/${providerName}`

const redirectUrlOf = ({ origin }: RequestContext, names: Names): string =>
  `${origin}${pathOf(names)}/callback`

const browserOf = ({ cookieHeader, secure }: RequestContext, names: Names, use: Use): Browser => ({
  cookieHeader,
  path: pathOf(names),
  secure,
  // The provider sends the browser back with a link.
  sameSite: 'Lax',
  use,
})

/** The silo and the identity provider in an address. Throws 404. */
const providerNamed = (world: World, names: Names) =>
  world.engine.transaction('read', async (tx) => {
    const { silo, id } = await providerIn(tx, 'oidc', names)
    return { silo, oidc: await oidcOfProvider(tx, id) }
  })
