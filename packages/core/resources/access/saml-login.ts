/** Sign-in with an identity provider (SAML 2.0, web browser profile). Decision 0074. */
import { limits } from '@purlin/contract/rules/limits'
import { toBase64 } from '@purlin/contract/wire'
import { permit } from '#/auth/resolve.ts'
import { answerProblem, groupsIn } from '#/auth/sign-in/saml-answers.ts'
import { answeredRequest, type Browser, hasAsked, newRequest } from '#/auth/sign-in/saml-requests.ts'
import { checkRelative, providersOf } from '#/auth/sign-in/sign-in-address.ts'
import { signInLimitsOf } from '#/auth/sign-in/sign-in-limits.ts'
import { signInProven } from '#/auth/sign-in/proven-users.ts'
import { bytesOf, decodeBase64, utf8 } from '#/bytes.ts'
import type { Family, RequestContext, World } from '#/context.ts'
import type { SiloTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { type SamlAnswer, SamlRefused } from '#/ports.ts'
import { parseSearch } from '#/query-string.ts'
import { certificatesIn, samlOf, serviceOf } from '../silos/saml-providers.ts'

type Names = { siloName: string; providerName: string }
type Found = Awaited<ReturnType<typeof providerNamed>>

export const samlLogin: Family<'loginOptions' | 'loginSamlBegin' | 'loginSaml' | 'loginSamlMetadata'> = {
  loginOptions: {
    withoutTransaction: (ctx, { params }) =>
      ctx.actor
        ? ctx.transaction('read', (inTransaction) => {
            permit(inTransaction)
            return optionsOf(inTransaction.tx, params.siloName)
          })
        : ctx.world.engine.transaction('read', (tx) => optionsOf(tx, params.siloName)),
  },

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
      const { silo } = found
      ctx.audit.account({ id: silo.id, name: silo.name })
      const back = returnAddress(relayState)
      await signInLimitsOf(world).answer(ctx.remote, async () => {
        const answer = await read(ctx, found, response)
        await accept(ctx, { params, found, answer, back })
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

/** Leads the browser to the identity provider, with a request that only this browser can have answered. */
async function begin(
  ctx: RequestContext,
  { params, found: { saml }, back }: { params: Names; found: Found; back: string | undefined },
): Promise<void> {
  const { id, cookie } = newRequest(ctx.world, browserOf(ctx, params))
  const relayState = toBase64(bytesOf(JSON.stringify(back === undefined ? {} : { redirect_uri: back })))
  const request = { id, signOnUrl: saml.signOnUrl, relayState }
  ctx.answer.location = await samlOf(ctx.world).requestUrl(serviceOf(saml), request)
  ctx.cookies.push(cookie)
}

/** Signs the user in whom an answer names, if this browser has asked for it. Throws 400, 401. */
async function accept(
  ctx: RequestContext,
  {
    params,
    found,
    answer,
    back,
  }: { params: Names; found: Found; answer: SamlAnswer; back: string | undefined },
): Promise<void> {
  const { world } = ctx
  const { silo, saml } = found
  const browser = browserOf(ctx, params)
  if (answer.inResponseTo === undefined) {
    // A provider that never names requests would be asked for ever.
    if (hasAsked(browser)) throw refused('the answer names no request')
    // The provider began: it is asked now, because anyone could have sent the browser here with another account.
    return begin(ctx, { params, found, back })
  }
  const cookie = answeredRequest(world, browser, answer.inResponseTo)
  if (cookie === undefined) throw refused('this browser has not sent the request that the answer names')
  const groups = groupsIn(answer, saml.groupAttribute)
  if (!groups) throw refused('the assertion names too many groups, or one with too long a name')
  const proven = { silo, subject: answer.assertion.subject ?? '', groups }
  await signInProven(ctx, proven, (tx) => spend(tx, world, `${saml.id} ${answer.assertion.id}`))
  ctx.cookies.push(cookie)
  ctx.answer.location = back ?? '/'
}

/** Records that an assertion has been used: no server accepts it a second time. Throws 400. */
async function spend(tx: Tx, { passwords, clock }: World, assertion: string): Promise<void> {
  const { ageMs, skewMs } = limits.saml
  const row = {
    key: passwords.fingerprint(`assertion ${assertion}`),
    // Later it is too old to be accepted.
    timeForgotten: clock.now() + ageMs + 2 * skewMs,
  }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('samlAnswer')
    .values(row)
    .onConflict((on) => on.column('key').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw refused('the assertion has been used before')
}

/** The content of an answer that is signed by the provider, and made for this service and this moment. Throws 400. */
async function read({ world, now }: RequestContext, { saml }: Found, response: string): Promise<SamlAnswer> {
  const certificates = certificatesIn(saml).map(({ der }) => der)
  const answer = await samlOf(world)
    .readAnswer(response, certificates)
    .catch((error: unknown) => {
      throw error instanceof SamlRefused ? refused(error.message) : error
    })
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

const browserOf = ({ cookieHeader, secure }: RequestContext, { siloName, providerName }: Names): Browser => ({
  cookieHeader,
  path: `/login/${siloName}/saml/${providerName}`,
  secure,
})

/** The fields of the form that a provider has the browser send. Throws 400. */
function formIn(body: Uint8Array): { response: string; relayState: string | undefined } {
  let text: string
  try {
    text = utf8(body)
  } catch {
    throw fault.badForm('invalid UTF-8')
  }
  const fields = parseSearch(text, fault.badForm)
  const [response, another] = fields.getAll('SAMLResponse')
  if (response === undefined) throw fault.badForm('missing field `SAMLResponse`')
  const [relayState, second] = fields.getAll('RelayState')
  if (another !== undefined || second !== undefined) throw fault.badForm('duplicate field')
  return { response, relayState }
}

/** The address that a relay state names. Providers may send their own, which names none. Throws 400 for one of another site. */
function returnAddress(relayState: string | undefined): string | undefined {
  const uri = redirectUriIn(relayState ?? '')
  if (uri === undefined || uri === null || uri === '') return undefined
  if (typeof uri !== 'string' || uri.length > limits.saml.returnTo)
    throw refused('the relay state is too long')
  checkRelative(uri)
  return uri
}

function redirectUriIn(relayState: string): unknown {
  try {
    const state: unknown = JSON.parse(utf8(decodeBase64(bytesOf(relayState))))
    return typeof state === 'object' && state !== null && 'redirect_uri' in state
      ? state.redirect_uri
      : undefined
  } catch {
    return undefined
  }
}

async function optionsOf(tx: Tx, siloName: string) {
  const silo = await siloNamed(tx, siloName)
  return { password: silo.identityMode === 'local_only', providers: await providersOf(tx, silo.id) }
}

async function siloNamed(tx: Tx, name: string): Promise<SiloTable> {
  const silo = await tx.selectFrom('silo').selectAll().where('name', '=', name).executeTakeFirst()
  if (!silo) throw fault.notFound('silo', name)
  return silo
}

/** The silo and the identity provider in an address. Throws 404. */
const providerNamed = (world: World, { siloName, providerName }: Names) =>
  world.engine.transaction('read', async (tx) => {
    const silo = await siloNamed(tx, siloName)
    const saml = await tx
      .selectFrom('samlProvider')
      .innerJoin('identityProvider', 'identityProvider.id', 'samlProvider.id')
      .selectAll('samlProvider')
      .where('identityProvider.siloId', '=', silo.id)
      .where('identityProvider.name', '=', providerName)
      .executeTakeFirst()
    if (!saml) throw fault.notFound('identity-provider', providerName)
    return { silo, saml }
  })

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text)
}
