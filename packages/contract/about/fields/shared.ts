/** Fields that mean the same wherever they occur. */
import { limits } from '#/rules/limits.ts'
import { roles } from '#/rules/roles.ts'

type Sentences = Readonly<Record<string, string>>

const now = 'RFC 3339 in UTC'
/** Of a time that is known only of what happened since it has been recorded. */
export const unlessKnown = `${now}; absent if that is not known or it never was`
export const shared: Sentences = {
  // pages of lists
  limit: `The most rows of a page, ${limits.page.default} unless given and never more than ${limits.page.max}.`,
  pageToken: 'The `next_page` of the page before; absent for the first page.',
  sortBy: 'The order of the rows; by name, or by id where rows have no names, unless given.',
  find: `Words to find: each of the first ${limits.findWords} begins a word of the name, the description or another text of a row.`,
  filter:
    'A column and a value, such as `state:running`, `memory:>16GiB`, `created:<7d`, `-name:test`, `tag:env=prod`, or `tag:env` for any value. Equal values of one column, or of one key, are alternatives; each comparison and negation must hold, and columns add up.',
  total: 'If true, the answer counts the matching rows.',
  items: 'The rows of this page.',
  nextPage: 'The token of the next page; absent or null on the last one.',
  previousPage:
    'The token of the page before, null if that is the first; present with `totals` after the first page.',
  totalItems: `The number of matching rows, if requested and at most ${limits.lists.counted}.`,
  totals:
    'For each column with few values, the number of matching rows by value, without the filter on that column.',
  // resources
  id: 'The id, which never changes.',
  name: 'The name, by which requests can refer to it.',
  description: 'A text for people.',
  timeCreated: `When it was created, ${now}.`,
  timeModified: `When it last changed, ${now}.`,
  timeExpires: `When it expires, ${now}; absent or null if never.`,
  protected: 'True if its deletion is refused; otherwise absent.',
  tags: 'Its tags, key to value; absent if there are none.',
  displayName: 'The name for people.',
  projectName: 'The name of the project.',
  siloName: 'The name of the silo.',
  providerName: 'The name of the identity provider.',
  instanceName: 'The name of the instance.',
  // people and roles
  identityType: 'Whether it is a user or a group.',
  identityId: 'The id of the user or group.',
  roleName: `The role: ${roles.join(', ')}, each including those after it.`,
  type: 'The kind of this value, which decides the other fields.',
  // addresses
  ip: 'The IP address.',
  firstPort: 'The first port of the range.',
  lastPort: 'The last port of the range, included.',
  // amounts
  cpus: 'The number of vCPUs.',
  memory: 'Memory in bytes.',
  storage: 'Disk storage in bytes.',
  provisioned: 'The amounts in use.',
  capacity: 'The amounts that the quota allows.',
  allocated: 'The amounts that the quota allows.',
  // time
  startTime: `The beginning of the time range, included, ${now}.`,
  endTime: `The end of the time range, excluded, ${now}.`,
  // verdicts of the network
  reason: 'The rule or route that decided, as a word for programs.',
  text: 'The result in words for people.',
  format: 'The format of the file: JSON lines, which is the default, or CSV.',
}

/** Fields of what creates a resource. */
export const ofCreate: Sentences = {
  name: `The name of the new resource, at most ${limits.formats.name} characters, unique among its siblings.`,
  description: `A text for people, at most ${limits.description} characters; it may be empty.`,
  protected: 'True to refuse its deletion until the protection is removed.',
  tags: 'Its tags, key to value.',
}
/** Fields of what updates one. */
export const ofUpdate: Sentences = {
  name: 'The new name; absent or null keeps the present one.',
  description: 'The new text for people; absent or null keeps the present one.',
  protected: 'True to refuse its deletion, false to allow it; absent or null keeps the present value.',
  tags: 'All of its tags, key to value; absent or null keeps the present ones.',
}
