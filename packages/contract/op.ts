/** The shape of an operation: everything that client, dispatcher, OpenAPI and permission sweep read. */
import type { In, Out, Schema } from './schema.ts'
import type { MediaType } from './schemas/media-types.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How errors look that have a standard for them: of OAuth (RFC 6749, section 5.2) and SCIM (RFC 7644, section 3.12). */
export type ErrorFormat = 'oauth' | 'scim'

/**
 * The permission that a caller needs, checked when the target is resolved (core/auth/access.ts defines each value):
 * `public` no session needed; `user` any signed-in user; `self` the user named by the request; `silo.user` any user
 * of the silo in question, `silo.member` its users with a role on it or on one of its projects; `level.role` at least
 * this role there; `scim` no user at all but a program with a SCIM token, for the silo of the token.
 */
export type Allow =
  | 'public'
  | 'user'
  | 'self'
  | 'silo.user'
  | 'silo.member'
  | 'scim'
  | `${'fleet' | 'silo' | 'project'}.${'viewer' | 'collaborator' | 'admin'}`

type AnySchema = Schema<unknown, unknown>

export interface OpShape {
  readonly method: Method
  /** e.g. `/v1/disks/{disk}`: placeholders are the wire names of `params`. */
  readonly path: string
  /** Of several values, any one suffices. */
  readonly allow: Allow | readonly [Allow, Allow, ...Allow[]]
  /** A caller to whom `allow` applies needs this role on the fleet as well. */
  readonly alsoNeeds?: Extract<Allow, `fleet.${string}`>
  /**
   * Without a project, the request is about the silo: its users may do what viewers may, and each role what it may on
   * projects.
   */
  readonly orSilo?: true
  readonly params?: AnySchema
  readonly query?: AnySchema
  readonly body?: AnySchema
  /** The media type of its body; JSON unless given. A body of bytes has a schema of bytes, and is not base64. */
  readonly bodyType?: MediaType
  /** The body may be of any media type: its handler reads the bytes, such as those of a form. */
  readonly anyBodyType?: true
  /** Its handler reads the bytes of the body while they arrive, because they are too many for memory. */
  readonly streamsBody?: true
  /** Longest accepted body in bytes; 1 MiB unless given. */
  readonly bodyLimit?: number
  /** Its answers may be larger than a megabyte: they are encoded in slices. */
  readonly isLarge?: true
  /** 302 and 303 answer with another address, where the client continues. */
  readonly ok: 200 | 201 | 202 | 204 | 302 | 303 | 'upgrade'
  /** The media type of its JSON answers; `application/json` unless given. */
  readonly responseType?: MediaType
  /** Its answer is no JSON but text or bytes of these media types, which are sent while they are made. */
  readonly streams?: readonly string[]
  /** A part of its bytes can be requested (RFC 9110, section 14). */
  readonly hasRanges?: true
  /** The format of its errors, if it is not that of the API. */
  readonly errorFormat?: ErrorFormat
  /**
   * Browsers may send it from pages of other sites, such as a form of an identity provider. It must not act on behalf
   * of the user whose cookie comes with it.
   */
  readonly allowsForeignOrigin?: true
  /** Signing in: the session of any other user is replaced. */
  readonly signsIn?: true
  /** A request with a body that only asks. */
  readonly changesNothing?: true
  readonly response?: AnySchema
  /** Group in the OpenAPI document. */
  readonly tag: string
}

/** True for a method that only reads. */
export const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** True for what the audit log records: operations that change something, sign-ins and consoles that are opened. */
export const isRecorded = ({ method, ok, changesNothing, signsIn }: OpShape): boolean =>
  ok === 'upgrade' || signsIn === true || !(isReading(method) || changesNothing)

/** Declares an operation. The literal types of the definition are kept for inference. */
// @__NO_SIDE_EFFECTS__
export const op = <const O extends OpShape>(definition: O): O => definition

type Part<O, K extends string, V> = O extends { readonly [P in K]: AnySchema } ? { [P in K]: V } : unknown

/** The arguments of a client. A part is present exactly if the operation declares it. */
export type Args<O extends OpShape> = Part<O, 'params', In<O['params']>> &
  Part<O, 'query', In<O['query']>> &
  Part<O, 'body', In<O['body']>>

/** The input of a handler. */
export type Parsed<O extends OpShape> = Part<O, 'params', Out<O['params']>> &
  Part<O, 'query', Out<O['query']>> &
  Part<O, 'body', Out<O['body']>>

/** The result of a handler and of a client call. */
export type Result<O extends OpShape> = O extends { readonly response: AnySchema } ? Out<O['response']> : void
