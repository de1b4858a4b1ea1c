/** The table of all addresses: its lines, and how they are compared. */
import type { Visit } from './visit.ts'

/** As in the access matrix. */
export const roleNames = [
  'no session',
  'no role',
  ...['P', 'S', 'F'].flatMap((level) => ['viewer', 'coll', 'admin'].map((rank) => `${level}-${rank}`)),
]

export const heading = `# What each address shows to each role

Written by \`npm run walk\`; the same test compares it.

The addresses are those of the specification. *Document* is the status with which the server answers a browser that opens
the address, and *sign in* a redirect to the sign-in page, which leads back to the address. *Page* is what the console
shows: the address if it has changed, the title, the breadcrumbs, or the error. \`P\`, \`S\` and \`F\` stand for the three
roles on a project, its silo and the fleet. Without a session only the sign-in page is shown. The preview shows the same
pages, but has one document for all addresses.

| Address | Document | Page |
|---|---|---|`.split('\n')

/** A line of the table. The results are by role. */
export function lineOf(row: {
  address: string
  documents: ReadonlyMap<string, string>
  visits: ReadonlyMap<string, Visit>
}): string {
  const pages = new Map([...row.visits].map(([role, visit]) => [role, inWords(visit)]))
  return `| ${row.address} | ${grouped(row.documents)} | ${grouped(pages)} |`
}

function inWords({ asked, path, title, crumbs, error }: Visit): string {
  const moved = path === asked ? [] : [`→ ${path}`]
  // The screen of an error has the title of the page that it stands for. Within a page its crumbs are shown, too.
  const place = error === undefined || crumbs.length > 0 ? [title, `[${crumbs.join(' › ')}]`] : []
  return [...moved, ...place, ...(error === undefined ? [] : [`*${error}*`])].join(' ')
}

/** Roles with equal results in groups, in the order of the roles. */
function grouped(results: ReadonlyMap<string, string>): string {
  const groups = [...Map.groupBy(results, ([, result]) => result)]
  return groups
    .map(([result, members]) => {
      const roles = members.map(([role]) => role).join(', ')
      return `${groups.length === 1 ? 'all' : shortened(roles)}: ${result}`
    })
    .join(' · ')
}

/** With the letter for all three roles of a level. */
const shortened = (roles: string) =>
  roles.replaceAll(/(\w)-viewer, \1-coll, \1-admin/g, '$1').replace('no role, P, S, F', 'others')

/** A line without the answers of the server, which the preview has not. */
export const withoutDocument = (line: string): string => line.replace(/^(\|[^|]*\|)[^|]*/, '$1 ')
