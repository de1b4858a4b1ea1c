/** Raw SQL, for what fills a database outside of tests. */
export { sql } from 'kysely'
