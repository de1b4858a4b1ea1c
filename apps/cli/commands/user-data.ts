/** Fills in a template of user data for a new instance, as the form of the console does. */
import { readFileSync } from 'node:fs'
import type { WireArgs } from '@purlin/contract/commands/request'
import {
  fillTemplate,
  startValues,
  templateProblem,
  valuesProblem,
  type TemplateField,
} from '@purlin/contract/rules/user-data/template'
import { CliError } from '../errors.ts'
import { apiOf } from '../http/api.ts'
import type { Server } from '../http/send.ts'
import type { Io } from '../io.ts'

interface Filling {
  template: string
  /** `name=value`, or `name=@file`. */
  field: readonly string[]
}

/** The arguments of a creation with the user data of the template. Throws CliError for a field that is wrong. */
export async function withTemplate(
  io: Io,
  server: Server,
  { args, template, field }: Filling & { args: WireArgs },
): Promise<WireArgs> {
  const body = args.body as Readonly<Record<string, unknown>>
  if (body['user_data'] != null)
    throw new CliError('usage', 'either --template or --user-data: a template is the user data')
  const api = apiOf(io, server)
  const query = { project: args.query?.['project'] }
  const found = await api.call('userDataTemplateView', { params: { template }, query })
  const { text = '', fields = [] } = found as { text?: string; fields?: readonly TemplateField[] }
  const given = valuesIn(field)
  const needsKeys = fields.some(({ name, type }) => type === 'ssh_keys' && !(name in given))
  const keys = needsKeys ? await api.all('currentUserSshKeyList') : []
  const own = keys.map((key) => String(key['public_key']))
  const values = { ...startValues(fields, own), ...given }
  const problem = templateProblem({ text, fields })?.reason ?? valuesProblem(fields, values)
  if (problem !== undefined) throw new CliError('usage', `template ${template}: ${problem}`)
  const filled = Buffer.from(fillTemplate({ text, fields }, values)).toString('base64')
  return { ...args, body: { ...body, user_data: filled } }
}

/** The values of flags. A file keeps a secret out of the list of processes. */
const valuesIn = (field: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    field.map((text) => {
      const at = text.indexOf('=')
      if (at < 1) throw new CliError('usage', `--field: ${text} is not NAME=VALUE`)
      return [text.slice(0, at), valueOf(text.slice(at + 1))]
    }),
  )

function valueOf(text: string): string {
  if (text.startsWith('@@')) return text.slice(1)
  return text.startsWith('@') ? readFileSync(text.slice(1), 'utf8').replace(/\r?\n$/, '') : text
}
