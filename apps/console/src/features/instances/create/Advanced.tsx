import ChevronRight from 'lucide-react/icons/chevron-right'
import { useEffect, useId, useRef, useState } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import { cx } from '#/lib/text.ts'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { AntiAffinityGroups } from './AntiAffinityGroups.tsx'
import { UserData } from './user-data/UserData.tsx'
import { hostnameComplaint } from './values/rules.ts'
import type { SectionProps } from './values/sections.ts'

const restartPolicies = [
  {
    value: 'default',
    label: 'Default',
    description: 'The default of the rack, currently best effort.',
  },
  { value: 'never', label: 'Never', description: 'The instance stays failed until it is started manually.' },
  {
    value: 'best_effort',
    label: 'Best effort',
    description: 'The instance is restarted after a failure, with a delay between restarts.',
  },
]
const platforms = [
  {
    value: 'any',
    label: 'Any',
    description: 'Any sled with enough capacity. Recommended unless software needs a specific CPU.',
  },
  {
    value: 'amd_milan',
    label: 'AMD Milan',
    description: 'EPYC 3rd generation. Also runs on newer sleds.',
  },
  {
    value: 'amd_turin',
    label: 'AMD Turin',
    description: 'EPYC 5th generation. Fewer sleds are available.',
  },
]

/** Rarely used settings, collapsed. Once expanded, its fields are validated while it is collapsed; an error expands it. */
export function Advanced({ form, offers, project }: SectionProps) {
  const [shown, setShown] = useState<'never' | 'open' | 'collapsed'>('never')
  const isOpen = shown === 'open'
  const id = useId()
  const content = useRef<HTMLDivElement>(null)
  const { errors } = useFormState({ control: form.control, name: ['hostname', 'userData', 'userDataText'] })
  // It cannot be collapsed while a field has an error.
  if ((errors.hostname ?? errors.userData ?? errors.userDataText) && !isOpen) setShown('open')
  useEffect(() => {
    if (isOpen) content.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <section aria-labelledby={id} className="border-t border-line-faint py-5">
      <h2 id={id} className="text-lg font-semibold">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`${id}-content`}
          onClick={() => setShown(isOpen ? 'collapsed' : 'open')}
          className="-ml-1 flex w-full items-center gap-2 rounded-md px-1 py-1 text-left hover:bg-hover"
        >
          <ChevronRight
            size={16}
            className={cx(
              'shrink-0 text-tertiary transition-transform duration-(--fast)',
              isOpen && 'rotate-90',
            )}
          />
          Advanced
          <span aria-hidden className="truncate text-sm font-normal text-secondary">
            {!isOpen && 'Hostname, user data, anti-affinity groups, automatic restart, CPU platform'}
          </span>
        </button>
      </h2>
      <div ref={content} id={`${id}-content`} hidden={!isOpen} className="mt-4">
        {/* Until then every field has its default, which is valid. */}
        {shown !== 'never' && <Fields form={form} offers={offers} project={project} />}
      </div>
    </section>
  )
}

function Fields({ form, offers, project }: SectionProps) {
  const { control } = form
  const name = useWatch({ control, name: 'name' })
  return (
    <div className="flex flex-col gap-[18px]">
      <TextControl
        name="hostname"
        control={control}
        mono
        placeholder={name}
        hint="The hostname inside of the guest. If left blank, the name of the instance is used."
        validate={hostnameComplaint}
      />
      <UserData form={form} project={project} sshKeys={offers.sshKeys.map(({ publicKey }) => publicKey)} />
      <AntiAffinityGroups form={form} project={project} />
      <ListboxControl
        name="autoRestart"
        control={control}
        label="Auto-restart policy"
        required
        hint="What happens when the instance fails."
        items={restartPolicies}
      />
      <ListboxControl
        name="cpuPlatform"
        control={control}
        label="CPU platform"
        required
        hint="The oldest CPU generation that the instance can run on."
        items={platforms}
      />
    </div>
  )
}
