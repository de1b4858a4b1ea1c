import Globe from 'lucide-react/icons/globe'
import { useId, useState } from 'react'
import { useQueries } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { useFreeFloatingIps } from '#/features/floating-ips/useFreeFloatingIps.ts'
import { CreateMissing } from '#/resource/form/Missing.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { rememberRow, viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { externalIpLimit } from '#/features/external-ips/externalIps.ts'
import type { FloatingIp } from '#/features/ip-pools/queries.ts'
import { Button } from '#/ui/button/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { FieldError } from '#/ui/field/fieldParts.tsx'
import { MiniTable, type MiniColumn } from '#/ui/field/MiniTable.tsx'
import { lazily } from '#/lib/lazily.tsx'
import { Truncate } from '#/ui/value/Truncate.tsx'
import { FormGroup } from './FormSection.tsx'
import { externalIpCount, externalIpsProblem, hasNetwork } from './values/rules.ts'
import { useListField, type SectionProps } from './values/sections.ts'

const AttachFloatingIpDialog = lazily(
  () => import('#/features/floating-ips/AttachFloatingIpDialog.tsx'),
  'AttachFloatingIpDialog',
)

const FloatingIpForm = lazily(() => import('#/features/floating-ips/FloatingIpForm.tsx'), 'FloatingIpForm')

const columns: readonly MiniColumn<FloatingIp>[] = [
  { header: 'Name', cell: ({ name }) => <Truncate text={name} /> },
  { header: 'IP', cell: ({ ip }) => ip },
]

/** The floating IPs to attach when the instance is created. */
export function FloatingIps({
  form,
  project,
  blocked,
}: Pick<SectionProps, 'form' | 'project'> & { blocked: string | undefined }) {
  const [isChoosing, setChoosing] = useState(false)
  const errorId = useId()
  const { lacks } = useRole(project)
  const ephemeral = useWatch({ control: form.control, name: 'ephemeral' })
  const {
    value: chosen,
    onChange,
    error,
    ref,
  } = useListField({
    form,
    name: 'floatingIps',
    validate: (_, values) => (hasNetwork(values) ? externalIpsProblem(values) : undefined),
  })
  const found = useQueries({
    queries: chosen.map((name) => ({
      ...viewQuery(kinds.floatingIp, name, { project }),
      throwOnError: false,
    })),
  })
  const rows = blocked ? [] : found.flatMap(({ data }) => data ?? [])
  const free = useFreeFloatingIps(project, { value: '', except: chosen })
  const hasNone = free.isEmpty && chosen.length === 0 && !free.totals?.['attached']?.['true']
  const reason =
    blocked ??
    externalIpLimit(externalIpCount({ ephemeral, floatingIps: chosen })) ??
    (free.isEmpty ? 'No floating IPs available' : undefined)
  return (
    <FormGroup
      title="Floating IPs"
      tip="External addresses that belong to the project. They remain when the instance is deleted and can be attached to another one."
    >
      {hasNone ? (
        <EmptyState
          icon={<Globe />}
          title="No floating IPs found"
          body="Create a floating IP to attach it to this instance"
          action={
            <CreateMissing
              noun="floating IP"
              lacks={lacks('collaborator')}
              form={(close) => (
                <FloatingIpForm
                  animate
                  scope={{ project }}
                  onCreated={({ name }) => {
                    if (!blocked) onChange([name])
                    close()
                  }}
                  onDismiss={close}
                />
              )}
            />
          }
        />
      ) : (
        <>
          <MiniTable
            label="Floating IPs"
            columns={columns}
            rows={rows}
            rowKey={({ name }) => name}
            onRemove={({ name }) => onChange(chosen.filter((other) => other !== name))}
            removeLabel={({ name }) => `remove floating IP ${name}`}
          />
          <div>
            <Button
              ref={ref}
              size="small"
              disabledReason={reason}
              aria-describedby={error ? errorId : undefined}
              onClick={() => setChoosing(true)}
            >
              Attach floating IP
            </Button>
            <FieldError id={errorId} error={error} />
          </div>
        </>
      )}
      {isChoosing && (
        <AttachFloatingIpDialog
          project={project}
          except={chosen}
          submitLabel="Attach"
          onSubmit={(floatingIp) => {
            rememberRow(kinds.floatingIp, floatingIp, { project })
            onChange([...chosen, floatingIp.name])
            setChoosing(false)
          }}
          request={null}
          onDismiss={() => setChoosing(false)}
        />
      )}
    </FormGroup>
  )
}
