import Key from 'lucide-react/icons/key-round'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '#/ui/button/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { CheckboxField } from '#/ui/field/CheckboxField.tsx'
import { FieldError } from '#/ui/field/fieldParts.tsx'
import type { SshKey } from './values/data.ts'
import { FormGroup, FormSection } from './FormSection.tsx'
import { sshKeysProblem } from './values/rules.ts'
import { useListField, type SectionProps } from './values/sections.ts'
import { lazily } from '#/lib/lazily.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'

const SshKeyForm = lazily(() => import('#/features/ssh-keys/SshKeyForm.tsx'), 'SshKeyForm')

export function Authentication({ form, offers }: SectionProps) {
  const [isAdding, setAdding] = useState(false)
  const {
    value: chosen,
    onChange,
    error,
    ref,
  } = useListField({ form, name: 'sshKeys', validate: sshKeysProblem })
  const errorId = useId()
  const addButton = (
    <Button
      variant={offers.sshKeys.length > 0 ? 'ghost' : 'secondary'}
      size="small"
      onClick={() => setAdding(true)}
    >
      Add SSH Key
    </Button>
  )
  return (
    <FormSection title="Authentication">
      <FormGroup title="SSH keys" tip="Your public keys. You can manage them in your settings.">
        {offers.sshKeys.length === 0 ? (
          <EmptyState
            icon={<Key />}
            title="No SSH keys"
            body="With a key, you sign in to the instance over SSH without a password."
            action={addButton}
          />
        ) : (
          <div>
            <KeyList
              keys={offers.sshKeys}
              chosen={chosen}
              onChange={onChange}
              inputRef={ref}
              describedBy={error ? errorId : undefined}
            >
              {addButton}
            </KeyList>
            <FieldError id={errorId} error={error} />
          </div>
        )}
      </FormGroup>
      <Notice>
        Keys can only be added when the instance is created. The image must support cloud-init with a volume
        labeled <span className="mono text-ink">cidata</span>.
      </Notice>
      {isAdding && (
        <SshKeyForm
          animate
          note="The key is saved in your settings and can be used for other instances."
          onCreated={({ id }) => {
            setAdding(false)
            onChange([...chosen, id])
          }}
          onDismiss={() => setAdding(false)}
        />
      )}
    </FormSection>
  )
}

interface KeyListProps {
  keys: readonly SshKey[]
  chosen: readonly string[]
  onChange: (ids: string[]) => void
  inputRef: (input: HTMLInputElement | null) => void
  /** id of the error message */
  describedBy: string | undefined
  children: ReactNode
}

function KeyList({ keys, chosen, onChange, inputRef, describedBy, children }: KeyListProps) {
  const count = keys.filter(({ id }) => chosen.includes(id)).length
  const toggle = (id: string, isOn: boolean) =>
    onChange(isOn ? [...chosen, id] : chosen.filter((other) => other !== id))
  return (
    <div className="rounded-md border border-line bg-raised">
      <div className="flex max-h-72 flex-col gap-2.5 overflow-y-auto px-3.5 py-3">
        {keys.map(({ id, name, description }) => (
          <CheckboxField
            key={id}
            label={<span className="mono">{name}</span>}
            hint={description || undefined}
            checked={chosen.includes(id)}
            onChange={(isOn) => toggle(id, isOn)}
          />
        ))}
      </div>
      <div className="flex items-center justify-between gap-3 border-t border-line-faint py-1.5 pr-2 pl-3.5">
        <CheckboxField
          ref={inputRef}
          label="Select all"
          describedBy={describedBy}
          checked={count === keys.length}
          indeterminate={count > 0 && count < keys.length}
          onChange={(isOn) => onChange(isOn ? keys.map(({ id }) => id) : [])}
        />
        {children}
      </div>
    </div>
  )
}
