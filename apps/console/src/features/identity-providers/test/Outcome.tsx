/** The outcome of a test: what the answer said, and what a sign-in with it would do. */
import type { signInTestView } from '@purlin/contract/operations/silos/sign-in-tests'
import type { Result } from '@purlin/contract/op'
import type { ReactNode } from 'react'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { Badge, type BadgeTone } from '#/ui/value/Badge.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { PropertiesTable } from '#/ui/value/PropertiesTable.tsx'

type Test = Result<typeof signInTestView>
type Answer = NonNullable<Test['answer']>
type Group = Test['groups'][number]

export function Outcome({ test }: { test: Test }) {
  const { answer, user } = test
  return (
    <>
      <Verdict test={test} />
      {user && (
        <Part title="User">
          <Item name={user.displayName}>
            <Badge tone={user.isNew ? 'note' : 'neutral'}>{user.isNew ? 'would be created' : 'exists'}</Badge>
          </Item>
        </Part>
      )}
      {user && <Groups groups={test.groups} />}
      {user && <Roles test={test} />}
      {answer && <Content answer={answer} protocol={test.protocol} />}
    </>
  )
}

function Verdict({ test: { outcome, reason } }: { test: Test }) {
  switch (outcome) {
    case 'waiting':
      return <Notice title="No answer yet">Sign in at the provider, in the tab of the test.</Notice>
    case 'accepted':
      return <Notice title="The user would be signed in">Nothing has been created or changed.</Notice>
    case 'refused':
      return (
        <Notice tone="danger" title="The sign-in would be refused">
          {reason}
        </Notice>
      )
  }
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-2 border-t border-line-faint pt-4">
    <h3 className="font-semibold">{title}</h3>
    {children}
  </section>
)

const Item = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
    <span className="min-w-0 wrap-anywhere">{name}</span>
    <span className="flex shrink-0 gap-1.5">{children}</span>
  </div>
)

const changes: Record<Group['change'], { word: string; tone: BadgeTone }> = {
  joined: { word: 'would join', tone: 'ok' },
  left: { word: 'would leave', tone: 'danger' },
  kept: { word: 'stays', tone: 'neutral' },
}

const Groups = ({ groups }: { groups: readonly Group[] }) => (
  <Part title="Groups">
    {groups.length === 0 && <p className="text-secondary">The user would be in no group.</p>}
    {groups.map(({ name, change, isNew }) => (
      <Item key={`${change} ${name}`} name={name}>
        {isNew && <Badge tone="accent">would be created</Badge>}
        <Badge tone={changes[change].tone}>{changes[change].word}</Badge>
      </Item>
    ))}
  </Part>
)

const Roles = ({ test: { roles, hiddenRoles } }: { test: Test }) => (
  <Part title="Roles">
    {roles.length === 0 && hiddenRoles === 0 && (
      <p className="text-secondary">The user would have no role, and see nothing but the own settings.</p>
    )}
    {roles.map(({ level, name, role }) => (
      <Item key={`${level} ${name}`} name={level === 'fleet' ? 'The fleet' : `${name}, a ${level}`}>
        <Badge>{role}</Badge>
      </Item>
    ))}
    {hiddenRoles > 0 && <p className="text-secondary">Roles that you may not see: {hiddenRoles}</p>}
  </Part>
)

const time = (date: Date | null) => date && <DateTime date={date} />
const text = (value: string | null) => value !== null && <span className="wrap-anywhere">{value}</span>

function Content({ answer, protocol }: { answer: Answer; protocol: Test['protocol'] }) {
  const isSaml = protocol === 'saml'
  return (
    <>
      <Part title="Answer of the provider">
        <PropertiesTable
          columns={1}
          properties={[
            { label: 'Issuer', value: text(answer.issuer) },
            { label: isSaml ? 'Name ID' : 'Subject', value: text(answer.subject) },
            { label: 'Audience', value: text(answer.audiences.join(', ')) },
            { label: 'Issued', value: time(answer.timeIssued) },
            { label: 'Valid from', value: time(answer.timeValidFrom) },
            { label: 'Valid until', value: time(answer.timeValidUntil) },
          ]}
        />
        {isSaml && <p className="text-secondary">The name ID is the name of the user.</p>}
      </Part>
      <Part title={isSaml ? 'Attributes' : 'Claims'}>
        {answer.attributes.length === 0 && <p className="text-secondary">The answer has none.</p>}
        {answer.attributes.map((attribute, index) => (
          // Names may repeat, and the answer does not change.
          <Attribute key={index} attribute={attribute} />
        ))}
        {answer.omitted > 0 && <p className="text-secondary">Further values: {answer.omitted}</p>}
      </Part>
    </>
  )
}

const uses = { name: 'name of the user', display_name: 'shown name', groups: 'groups' } as const

const Attribute = ({ attribute: { name, values, use } }: { attribute: Answer['attributes'][number] }) => (
  <div className="flex flex-col gap-0.5">
    <Item name={name}>{use !== null && <Badge tone="accent">{uses[use]}</Badge>}</Item>
    {values.map((value, index) => (
      <span key={index} className="mono wrap-anywhere text-secondary">
        {value}
      </span>
    ))}
  </div>
)
