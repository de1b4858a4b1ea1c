import { KiB, limits } from '@purlin/contract/rules/limits'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useEffect, useId, useRef, useState } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import { formatSize } from '../../../../../lib/format.ts'
import { cx } from '../../../../../lib/text.ts'
import { FileControl } from '../../../../../ui/form/FileControl.tsx'
import { ListboxControl } from '../../../../../ui/form/ListboxControl.tsx'
import { TextControl } from '../../../../../ui/form/TextControl.tsx'
import { ExternalLink } from '../../../../../ui/link.tsx'
import { AntiAffinityGroups } from './AntiAffinityGroups.tsx'
import { hostnameComplaint, userDataProblem } from './rules.ts'
import type { SectionProps } from './sections.ts'

const restartPolicies = [
  {
    value: 'default',
    label: 'Default',
    description: 'As the rack does it, which at present is best effort.',
  },
  { value: 'never', label: 'Never', description: 'Stays failed until somebody starts it.' },
  {
    value: 'best_effort',
    label: 'Best effort',
    description: 'Started again after a failure, with a pause between two restarts.',
  },
]
const platforms = [
  {
    value: 'any',
    label: 'Any',
    description: 'Whichever sled has room. The best choice unless software asks for more.',
  },
  {
    value: 'amd_milan',
    label: 'AMD Milan',
    description: 'The third generation of EPYC; runs on newer sleds too.',
  },
  {
    value: 'amd_turin',
    label: 'AMD Turin',
    description: 'The fifth generation of EPYC; fewer sleds can run it.',
  },
]

type AdvancedProps = Pick<SectionProps, 'form' | 'project'>

/** What few instances need, folded away. Its fields are checked also while it is closed; a wrong one opens it. */
export function Advanced({ form, project }: AdvancedProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const content = useRef<HTMLDivElement>(null)
  const { errors } = useFormState({ control: form.control, name: ['hostname', 'userData'] })
  // As long as something is wrong inside, it cannot be closed over it.
  if ((errors.hostname ?? errors.userData) && !isOpen) setOpen(true)
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
          onClick={() => setOpen(!isOpen)}
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
        <Fields form={form} project={project} />
      </div>
    </section>
  )
}

function Fields({ form, project }: AdvancedProps) {
  const { control } = form
  const [name, userData] = useWatch({ control, name: ['name', 'userData'] })
  return (
    <div className="flex flex-col gap-[18px]">
      <TextControl
        name="hostname"
        control={control}
        mono
        placeholder={name}
        hint="The name that the guest gives itself. The instance’s name is used if left blank."
        validate={hostnameComplaint}
      />
      <FileControl
        name="userData"
        control={control}
        label="User Data"
        aside={userData && `${formatSize(userData.size)} of ${limits.instance.userData / KiB} KiB`}
        hint={
          <>
            Given to cloud-init at the first boot, at most {limits.instance.userData / KiB} KiB. See its{' '}
            <ExternalLink href="https://cloudinit.readthedocs.io/en/latest/explanation/format.html">
              formats
            </ExternalLink>{' '}
            and{' '}
            <ExternalLink href="https://cloudinit.readthedocs.io/en/latest/reference/examples.html">
              examples
            </ExternalLink>
            .
          </>
        }
        validate={userDataProblem}
        // A file that is too large is best told of at once, while one remembers where it came from.
        onValue={() => void form.trigger('userData')}
      />
      <AntiAffinityGroups form={form} project={project} />
      <ListboxControl
        name="autoRestart"
        control={control}
        label="Auto-restart policy"
        required
        hint="What happens when the instance fails on its own."
        items={restartPolicies}
      />
      <ListboxControl
        name="cpuPlatform"
        control={control}
        label="CPU platform"
        required
        hint="The oldest generation of CPU that the instance may find itself on."
        items={platforms}
      />
    </div>
  )
}
