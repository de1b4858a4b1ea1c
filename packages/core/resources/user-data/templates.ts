/** Templates of user data of a project. Clients fill them in; the server checks that they can. */
import type { Result } from '@purlin/contract/op'
import type { Operations } from '@purlin/contract/operations'
import { templateProblem } from '@purlin/contract/rules/user-data/template'
import type { BodyOf, Ctx } from '#/context.ts'
import type { RowOf } from '#/db/kinds.ts'
import type { Listed } from '#/db/lists/listed.ts'
import type { UserDataTemplateTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { plain } from '../kind/plain.ts'
import {
  identityChanges,
  identityView,
  insertNamed,
  keptChanges,
  newIdentity,
  newKept,
  updateNamed,
} from '../kind/rows.ts'

type Row = UserDataTemplateTable
type View = Result<Operations['userDataTemplateView']>
type Field = NonNullable<View['fields']>[number]

const view = (row: Listed<'userDataTemplate'>): View => ({
  ...identityView(row),
  projectId: row.projectId,
  fieldCount: row.fieldCount ?? 0,
})

const fieldsOf = ({ fieldsJson }: Row) => JSON.parse(fieldsJson) as Field[]

/** The text and fields as they are stored. Throws 400. */
function stored({
  text,
  fields,
}: {
  text: string
  fields: readonly Field[]
}): Pick<Row, 'text' | 'fieldsJson' | 'fieldCount'> {
  const problem = templateProblem({ text, fields })
  if (problem) throw fault.invalidValue(problem.part, problem.reason)
  return { text, fieldsJson: JSON.stringify(fields), fieldCount: fields.length }
}

const create = (
  ctx: Ctx,
  project: RowOf<'project'>,
  { text, fields, ...named }: BodyOf<'userDataTemplateCreate'>,
): Promise<Row> =>
  insertNamed(ctx, 'userDataTemplate', {
    ...newIdentity(ctx, named),
    ...newKept(named),
    projectId: project.id,
    ...stored({ text, fields: fields ?? [] }),
  })

const update = (ctx: Ctx, row: Row, body: BodyOf<'userDataTemplateUpdate'>): Promise<Row> =>
  updateNamed(ctx, ['userDataTemplate', row], {
    ...identityChanges(ctx, body),
    ...keptChanges(body),
    ...(body.text == null && body.fields == null
      ? {}
      : stored({ text: body.text ?? row.text, fields: body.fields ?? fieldsOf(row) })),
  })

export const userDataTemplates = plain('userDataTemplate', {
  view,
  viewOne: (_, row) => Promise.resolve({ ...view(row), text: row.text, fields: fieldsOf(row) }),
  create,
  update,
}).handlers
