/** All pages of a list, each shown before the next one is read. */
import { requestOf } from '@purlin/contract/commands/request'
import { jsonText } from '@purlin/contract/wire'
import { sendForText } from '../http/send.ts'
import { write } from '../io.ts'
import { parseJson } from '../output/json.ts'
import { printableJson } from '@purlin/contract/commands/printable'
import type { Table } from '../output/table.ts'
import type { Run } from './operation.ts'
import { rowsNode, showRows } from './show.ts'

interface Page {
  items: unknown[]
  next_page?: string | null
}

/** Every page of a list. */
async function* pagesOf({ op, args, server, io }: Run): AsyncGenerator<Page> {
  let token: string | null | undefined
  do {
    const query = { ...args.query, ...(token ? { page_token: token } : {}) }
    const page = parseJson(await sendForText(server, requestOf(op, { ...args, query }), io.signal)) as Page
    yield page
    token = page.next_page
  } while (token)
}

/** Shows all rows of a list: as a table, or as one JSON document. */
export async function showPages(run: Run): Promise<void> {
  const item = run.op.response && rowsNode(run.op.response.node)
  if (!item) return
  if (run.own.json) return showJson(run)
  let table: Table | undefined
  for await (const { items } of pagesOf(run)) table = await showRows(run, { item, rows: items, table })
}

async function showJson(run: Run): Promise<void> {
  const { stdout } = run.io
  let between = '\n'
  await write(stdout, '{"items": [')
  for await (const { items } of pagesOf(run))
    for (const item of items) {
      await write(stdout, between + printableJson(jsonText(item)))
      between = ',\n'
    }
  await write(stdout, '\n]}\n')
}
