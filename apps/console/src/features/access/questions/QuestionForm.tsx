import { useNavigate } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { errorMessage } from '#/api/errors.ts'
import { invalidate } from '#/api/query.ts'
import { accessExplain, accessWhoCan } from '@purlin/contract/operations/access/access'
import type { Candidate } from '#/features/access/roles/choices.ts'
import { siloOf, type Place } from '#/features/access/place.ts'
import { SiloControl } from '#/features/access/SiloControl.tsx'
import { usePeople } from '#/features/access/useAccess.ts'
import { PickerHint } from '#/features/access/PickerHint.tsx'
import { usePicker } from '#/features/access/usePicker.ts'
import { identityWord } from '#/features/access/words.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import type { Operation } from './answers.ts'
import type { AccessQuestion } from './search.ts'

interface Values {
  operation: string
  person: string
  /** of the person, if it is another one */
  silo: string
}

interface QuestionFormProps {
  place: Place
  search: AccessQuestion
  operations: { data: readonly Operation[] | undefined; error: unknown }
  /** The user or group in the address, as far as known. */
  question: Candidate | undefined
}

/** The form of a question: an operation and a user or group. */
export function QuestionForm({ place, search, operations, question }: QuestionFormProps) {
  const navigate = useNavigate()
  const form = useForm<Values>({
    values: { operation: search.operation ?? '', person: search.person ?? '', silo: '' },
  })
  const { control } = form
  const people = usePeople()
  const silo = useWatch({ control, name: 'silo' })
  const picker = usePicker(people, undefined, siloOf(place) ?? silo)
  const ask = ({ operation, person }: Values) => {
    const { resource } = search
    const next = { operation, ...(resource ? { resource } : {}), ...(person ? { person } : {}) }
    // The same question again: roles may have changed.
    if (JSON.stringify(next) === JSON.stringify(search))
      void Promise.all([invalidate(accessWhoCan), invalidate(accessExplain)])
    else void navigate({ to: '.', search: next, resetScroll: false })
  }
  const isMissing = question && !picker.offered.some(({ id }) => id === question.id)
  const offered = isMissing ? [question, ...picker.offered] : picker.offered
  const problem = people.error ?? picker.error
  return (
    <form
      noValidate
      autoComplete="off"
      aria-label="Question"
      onSubmit={(event) => void form.handleSubmit(ask)(event)}
      className="flex flex-col gap-4 rounded-lg border border-line bg-raised p-4"
    >
      <ComboboxControl
        name="operation"
        control={control}
        label="What to do"
        required
        placeholder="Delete a disk"
        loading={operations.data === undefined && !operations.error}
        hint={
          operations.error ? `Could not load the operations: ${errorMessage(operations.error)}` : undefined
        }
        items={(operations.data ?? []).map(({ operation, summary }) => ({
          value: operation,
          label: summary,
        }))}
      />
      {place.level === 'fleet' && (
        <SiloControl name="silo" control={control} onValue={() => form.setValue('person', '')} />
      )}
      <ComboboxControl
        name="person"
        control={control}
        label="User or group"
        placeholder="All users"
        loading={!people.isSettled || picker.isSearching}
        onValue={picker.choose}
        onSearch={picker.onSearch}
        hint={
          <PickerHint picker={picker} error={problem} focus={() => form.setFocus('person')}>
            Leave blank to list all users with the permission.
          </PickerHint>
        }
        items={offered.map(({ id, displayName, identityType }) => ({
          value: id,
          label: displayName,
          aside: identityType === 'silo_group' ? <Badge>{identityWord[identityType]}</Badge> : undefined,
        }))}
      />
      <Button type="submit" variant="primary" className="w-full">
        Ask
      </Button>
    </form>
  )
}
