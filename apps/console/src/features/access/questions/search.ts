/** A question about access, as the address of its page keeps it. */

/** The users with a permission or, with a user, the permission of that one. */
export interface AccessQuestion {
  /** An operation's id. */
  operation?: string
  /** A type and an id, such as `disk:ID`; without one it is about the place of the page. */
  resource?: string
  /** The id of a user or group. */
  person?: string
  /** Token of the page shown. */
  page?: string
}

const longest = { operation: 200, resource: 200, person: 36, page: 2000 }

/** `validateSearch` of the page: what it does not know is left out. */
export const questionSearch = (search: Record<string, unknown>): AccessQuestion =>
  Object.fromEntries(
    Object.entries(longest).flatMap(([name, length]) => {
      const value = search[name]
      return typeof value === 'string' && value !== '' && value.length <= length ? [[name, value]] : []
    }),
  )
