/** Sign-in with an identity provider (SAML 2.0, web browser profile). Decision 0074. */
import { limits } from '@purlin/contract/rules/limits'
import { answerProblem, groupsIn, saidIn } from '#/auth/sign-in/saml-answers.ts'
import {
  answeredRequest,
  type Browser,
  hasAsked,
  newRequest,
  type Use,
} from '#/auth/sign-in/provider-requests.ts'
import {
  relayStateOf,
  relayStateOfTest,
  returnAddress,
  testedRequest,
} from '#/auth/sign-in/return-address.ts'
import { checkRelative, providerIn } from '#/auth/sign-in/sign-in-address.ts'
import { signInLimitsOf } from '#/auth/sign-in/sign-in-limits.ts'
import { signInProven } from '#/auth/sign-in/proven-users.ts'
import { fieldsIn } from '#/auth/sign-in/provider-form.ts'
import { concludeTest, type NoteSaid, openTest, type Verified } from '#/auth/sign-in/sign-in-tests.ts'
import { spend } from '#/auth/sign-in/spent-answers.ts'
import type { Family, RequestContext, World } from '#/context.ts'
import type { SamlProviderTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { type SamlAnswer, SamlRefused } from '#/ports.ts'
import { certificatesIn, samlOf, samlOfProvider, serviceOf } from '../silos/saml-providers.ts'

type Names = { siloName: string; providerName: string }
type Found = Awaited<ReturnType<typeof providerNamed>>

export const samlLogin: Family<'loginSamlBegin' | 'loginSaml' | 'loginSamlMetadata'> = {
  loginSamlBegin: {
    async withoutTransaction(ctx, { params, query: { redirectUri } }) {
      if (redirectUri !== undefined) checkRelative(redirectUri)
      const found = await providerNamed(ctx.world, params)
      await begin(ctx, { params, found, back: redirectUri })
    },
  },

  loginSaml: {
    async withoutTransaction(ctx, { params, body }) {
      const { world } = ctx
      const { response, relayState } = formIn(body)
      const found = await providerNamed(world, params)
      const { silo, saml } = found
      ctx.audit.account({ id: silo.id, name: silo.name })
      const back = returnAddress(relayState)
      const named = { providerId: saml.id, requestId: testedRequest(relayState) ?? '' }
      const test = await openTest(ctx, browserOf(ctx, params, 'test'), named)
      await signInLimitsOf(world).answer(ctx.remote, async () => {
        if (!test) return signIn(ctx, { params, found, response, back })
        const { browser, row } = test
        const verify = async (note: NoteSaid) => {
          const answer = await read(ctx, { found, response, note })
          return verified(ctx, { found, answer, browser, only: row.requestId })
        }
        return concludeTest(ctx, test, { siloName: silo.name, verify })
      })
    },
  },

  loginSamlMetadata: {
    async withoutTransaction(ctx, { params }) {
      const { saml } = await providerNamed(ctx.world, params)
      const text = await samlOf(ctx.world).serviceMetadata(serviceOf(saml))
      ctx.answer.stream = {
        contentType: 'application/samlmetadata+xml',
        fileName: `${params.providerName}.xml`,
        text: inOnePiece(text),
      }
    },
  },
}

/** A request that only this browser can have answered. A test names itself in its relay state. */
export async function samlRequest(
  ctx: RequestContext,
  {
    names,
    saml,
    ...how
  }: { names: Names; saml: SamlProviderTable } & (
    | { use: 'signIn'; back: string | undefined }
    | { use: 'test' }
  ),
): Promise<{ id: string; url: string; cookie: string }> {
  const { id, cookie } = newRequest(ctx.world, browserOf(ctx, names, how.use))
  const relayState = how.use === 'test' ? relayStateOfTest(id) : relayStateOf(how.back)
  const request = { id, signOnUrl: saml.signOnUrl, relayState }
  return { id, url: await samlOf(ctx.world).requestUrl(serviceOf(saml), request), cookie }
}

/** Leads the browser to the identity provider. */
async function begin(
  ctx: RequestContext,
  { params, found: { saml }, back }: { params: Names; found: Found; back: string | undefined },
): Promise<void> {
  const { url, cookie } = await samlRequest(ctx, { names: params, saml, use: 'signIn', back })
  ctx.answer.location = url
  ctx.cookies.push(cookie)
}

interface Answering {
  params: Names
  found: Found
  response: string
  back: string | undefined
}

/** Signs the user in whom an answer names, if this browser has asked for it. Throws 400, 401. */
async function signIn(ctx: RequestContext, { params, found, response, back }: Answering): Promise<void> {
  const answer = await read(ctx, { found, response })
  const browser = browserOf(ctx, params, 'signIn')
  // The provider began: it is asked now, because anyone could have sent the browser here with another account. A provider
  // that never names requests would be asked for ever.
  if (answer.inResponseTo === undefined && !hasAsked(browser)) return begin(ctx, { params, found, back })
  const { proven, spent, request } = verified(ctx, { found, answer, browser })
  await signInProven(ctx, proven, (tx) => spend(tx, ctx.world, spent))
  ctx.cookies.push(request.cookie)
  ctx.answer.location = back ?? '/'
}

/** The person in an answer that this browser has asked for, with `only` this request. Throws 400. */
function verified(
  { world }: RequestContext,
  {
    found: { silo, saml },
    answer,
    browser,
    only,
  }: { found: Found; answer: SamlAnswer; browser: Browser; only?: string },
): Verified {
  if (answer.inResponseTo === undefined) throw refused('the answer names no request')
  const request = answeredRequest(world, browser, answer.inResponseTo)
  if (request === undefined || (only !== undefined && request.id !== only))
    throw refused('this browser has not sent the request that the answer names')
  const groups = groupsIn(answer, saml.groupAttribute)
  if (!groups) throw refused('the assertion names too many groups, or one with too long a name')
  const proven = { silo, subject: answer.assertion.subject ?? '', groups }
  const { ageMs, skewMs } = limits.saml
  const spent = {
    // Part of the fingerprints that are stored.
    key: `assertion ${saml.id} ${answer.assertion.id}`,
    name: 'assertion',
    // Later it is too old to be accepted.
    untilMs: ageMs + 2 * skewMs,
  }
  return { proven, spent, request }
}

/** The content of an answer that is signed by the provider, and made for this service and this moment. Throws 400. */
async function read(
  { world, now }: RequestContext,
  { found: { saml }, response, note }: { found: Found; response: string; note?: NoteSaid },
): Promise<SamlAnswer> {
  const certificates = certificatesIn(saml).map(({ der }) => der)
  const answer = await samlOf(world)
    .readAnswer(response, certificates)
    .catch((error: unknown) => {
      throw error instanceof SamlRefused ? refused(error.message) : error
    })
  note?.(saidIn(answer, saml.groupAttribute))
  const expected = {
    issuer: saml.entityId,
    audience: saml.serviceEntityId,
    acsUrl: saml.acsUrl,
    now,
  }
  const problem = answerProblem(answer, expected)
  if (problem !== undefined) throw refused(problem)
  return answer
}

const refused = fault.refusedAnswer

const browserOf = (
  { cookieHeader, secure }: RequestContext,
  { siloName, providerName }: Names,
  use: Use,
): Browser => ({
  cookieHeader,
  path: `/login/${siloName}/saml/${providerName}`,
  secure,
  // The provider's page is on another site, and sends a form.
  sameSite: 'None',
  use,
})

/** The fields of the form that a provider has the browser send. Throws 400. */
function formIn(body: Uint8Array): { response: string; relayState: string | undefined } {
  const { SAMLResponse: response, RelayState: relayState } = fieldsIn(body, ['SAMLResponse', 'RelayState'])
  if (response === undefined) throw fault.badForm('missing field `SAMLResponse`')
  return { response, relayState }
}

/** The silo and the identity provider in an address. Throws 404. */
const providerNamed = (world: World, names: Names) =>
  world.engine.transaction('read', async (tx) => {
    const { silo, id } = await providerIn(tx, 'saml', names)
    return { silo, saml: await samlOfProvider(tx, id) }
  })

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text)
}
