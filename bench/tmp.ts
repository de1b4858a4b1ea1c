import { speedOnSqlite } from './speed.ts'
console.table(await speedOnSqlite({ warmSeconds: 1, seconds: 2, rounds: 1 }))
