import { keysOf } from '@purlin/contract/rules/keys'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { failure } from '#/api/errors.ts'
import { paths, type VpcTarget } from '#/lib/addresses.ts'
import { LossesOf, lossesOf, type Losses } from '#/features/network-losses/losses.tsx'
import { kinds } from '#/resource/kinds.ts'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { undoable } from '#/resource/actions/undo.tsx'
import { usePicker } from '#/resource/form/usePicker.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { Table } from '#/ui/table/Table.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import { sentOf, type NewRule } from './changes.ts'
import { copying, differencesOf, ifAsSeen, type CopyMode, type Difference } from './copying.ts'
import { rulesQuery, type Rule } from '../queries.ts'
import { changeRequest, reloadRules, storeChange } from '../store.tsx'

export interface CopyRulesDialogProps {
  /** The VPC whose rules are copied. */
  source: VpcTarget
  rules: readonly Rule[]
  onDismiss: () => void
}

interface Values {
  project: string
  vpc: string
  mode: CopyMode
}

const modes = [
  { value: 'add', label: 'Add', description: 'Rules there stay, except those of the same names' },
  { value: 'replace', label: 'Replace all', description: 'Rules there are removed' },
]

/** Copies the rules of a VPC to another one, after showing what changes there. */
export function CopyRulesDialog({ source, rules, onDismiss }: CopyRulesDialogProps) {
  const form = useForm<Values>({ defaultValues: { project: source.project, vpc: '', mode: 'add' } })
  const { control } = form
  const { project, vpc, mode } = useWatch({ control }) as Values
  const { lacks } = useRole(project === '' ? source.project : project)
  const target = { project, vpc }
  const isSame = project === source.project
  const there = useQuery({
    ...rulesQuery(target),
    enabled: project !== '' && vpc !== '',
    throwOnError: false,
  })
  const seen = there.data?.rules
  const change = copying({ rules, from: source.vpc, to: vpc, mode })
  const outcome = seen && outcomeOf(() => change(seen))
  const differs =
    seen && outcome?.sent && differencesOf(seen, outcome.sent).some(({ is }) => is !== 'unchanged')
  const unknownOrNothing = !seen
    ? 'What changes is not known yet'
    : differs === false
      ? 'Nothing would change: the rules there are the same'
      : undefined
  const copy = async () => {
    if (!seen) return
    const { before, after } = await storeChange(target, ifAsSeen(seen, change)).catch((error: unknown) => {
      void there.refetch()
      throw error
    })
    const undo = async () => {
      await storeChange(
        target,
        ifAsSeen(after, () => before.map(sentOf)),
      )
      await reloadRules()
    }
    const [from, to] = [<Highlight key="from">{source.vpc}</Highlight>, <Highlight key="to">{vpc}</Highlight>]
    addToast({
      ...undoable(
        {
          content: (
            <>
              Firewall rules of VPC {from} copied to VPC {to}
            </>
          ),
        },
        { run: undo, undone: <>VPC {to} has the firewall rules that it had before</> },
      ),
      cta: { href: paths.vpcTab(target, 'firewall-rules'), text: `View rules of ${vpc}` },
    })
    await reloadRules()
    onDismiss()
  }
  return (
    <ResourceForm
      title="Clone firewall rules"
      submitLabel="Clone firewall rules"
      form={form}
      animate
      onSubmit={copy}
      request={() => changeRequest(target, change)}
      onDismiss={onDismiss}
      submitDisabledReason={lacks('collaborator') ?? (vpc === '' ? undefined : unknownOrNothing)}
    >
      <p>
        Copies all {rules.length.toLocaleString()} rules of <Highlight>{source.vpc}</Highlight>. Where they
        name that VPC, the copies name the one that they are copied to.
      </p>
      <Destination form={form} except={isSame ? [source.vpc] : []} />
      <RadioGroupControl name="mode" control={control} label="Rules there" required options={modes} />
      {there.error && <FormErrorBanner issues={[failure(there.error)]} />}
      {vpc !== '' && there.isLoading && <Spinner />}
      {outcome?.problem ? <FormErrorBanner issues={[failure(outcome.problem)]} /> : null}
      {seen && outcome?.sent && <Preview target={target} stored={seen} sent={outcome.sent} />}
    </ResourceForm>
  )
}

/** The rules that a change makes, or why it makes none. */
function outcomeOf(change: () => NewRule[]): { sent?: NewRule[]; problem?: unknown } {
  try {
    return { sent: change() }
  } catch (problem) {
    return { problem }
  }
}

function Destination({
  form,
  except,
}: {
  form: ReturnType<typeof useForm<Values>>
  except: readonly string[]
}) {
  const { control } = form
  const [project, vpc] = useWatch({ control, name: ['project', 'vpc'] })
  const by = 'name' as const
  const projects = usePicker(kinds.project, { scope: {}, value: project, by })
  const vpcs = usePicker(kinds.vpc, { scope: { project }, value: vpc, by, except, enabled: project !== '' })
  return (
    <>
      <ComboboxControl
        name="project"
        control={control}
        required
        placeholder="Select a project"
        hint={projects.problem}
        onValue={() => form.setValue('vpc', '')}
        {...projects.field}
      />
      <ComboboxControl
        name="vpc"
        control={control}
        label="VPC"
        required
        placeholder="Select a VPC"
        disabledReason={project === '' && 'Select a project first'}
        hint={vpcs.problem ?? (vpcs.isEmpty ? 'The project has no other VPC.' : undefined)}
        {...vpcs.field}
      />
    </>
  )
}

const looks = {
  added: { tone: 'ok', text: 'Added' },
  replaced: { tone: 'warn', text: 'Replaced' },
  removed: { tone: 'danger', text: 'Removed' },
  unchanged: { tone: 'idle', text: 'Unchanged' },
} as const satisfies Record<Difference['is'], object>

const ofNames: readonly string[] = ['names_missing', 'no_target', 'no_host']

interface PreviewProps {
  target: VpcTarget
  stored: readonly Rule[]
  sent: NewRule[]
}

/** The result for each rule of the other VPC, the references that it lacks, and the losses of instances. */
function Preview({ target, stored, sent }: PreviewProps) {
  const preview = useQuery({
    queryKey: ['preview of copied rules', target, sent],
    queryFn: async () => (await lossesOf(target, { type: 'firewall_rules', rules: sent })) ?? null,
    throwOnError: false,
    placeholderData: keepPreviousData,
  })
  const losses: Losses = preview.data ?? undefined
  const notes = new Map(losses?.effects.rules.map((effect) => [effect.name, effect]))
  const columns: readonly Column<Difference>[] = [
    { id: 'name', header: 'name', cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
    {
      id: 'change',
      header: 'change',
      cell: ({ is }) => <Badge tone={looks[is].tone}>{looks[is].text}</Badge>,
    },
    {
      id: 'note',
      header: 'there',
      cell: ({ name, is }) => {
        const note = is === 'removed' ? undefined : notes.get(name)
        if (!note || note.reason === 'disabled') return null
        const isMarked = ofNames.includes(note.reason)
        return (
          <span className="flex flex-col items-start gap-1 py-1 whitespace-normal">
            {isMarked && <Badge tone="busy">Names missing</Badge>}
            <span className="text-secondary">{note.text}</span>
          </span>
        )
      },
    },
  ]
  const rows = differencesOf(stored, sent)
  const counts = keysOf(looks)
    .map((is) => [rows.filter((row) => row.is === is).length, looks[is].text.toLowerCase()] as const)
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${count.toLocaleString()} ${text}`)
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-[550]">What changes in {target.vpc}</h3>
      <p role="status" className="text-secondary">
        {counts.join(', ')}
      </p>
      <Table
        label={`What changes in ${target.vpc}`}
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
      />
      {preview.isPending ? <Spinner /> : <LossesOf losses={losses} />}
    </section>
  )
}
