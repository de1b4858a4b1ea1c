import { KiB, limits } from '@purlin/contract/rules/limits'
import { bytesOf } from '@purlin/contract/rules/user-data/texts'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { Filled } from '#/features/user-data-templates/FillTemplate.tsx'
import { FillTemplate, SaveAsTemplate } from '#/features/user-data-templates/lazyForms.ts'
import { formatSize } from '#/lib/format.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { ExternalLink } from '#/ui/button/link.tsx'
import { FileControl } from '#/ui/form/FileControl.tsx'
import { TextAreaControl } from '#/ui/form/TextAreaControl.tsx'
import type { SectionProps } from '../values/sections.ts'
import { fileProblem, textProblem } from './userData.ts'

const most = limits.instance.userData

/** The room for more text, or by how much a text is too long. */
function leftOf(text: string): string {
  const left = most - bytesOf(text)
  return left < 0 ? `${formatSize(-left)} too long` : `${formatSize(left)} left`
}

/** A text for the first boot: typed, filled in or from a file. */
export function UserData({ form, project, sshKeys }: UserDataProps) {
  const { control } = form
  const [file, text] = useWatch({ control, name: ['userData', 'userDataText'] })
  return (
    <>
      {/* A mistake is reported when the field is left, and from then on as the text is typed. */}
      <div onBlur={() => void form.trigger('userDataText')}>
        <TextAreaControl
          name="userDataText"
          control={control}
          label="User data"
          mono
          rows={6}
          placeholder={'#cloud-config\npackages: [nginx]'}
          aside={leftOf(text)}
          hint={
            <>
              Passed to cloud-init at the first boot, at most {most / KiB} KiB. See its{' '}
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
          validate={(typed, { userData }) => (userData ? undefined : textProblem(typed))}
          {...(file ? { disabledReason: 'The file is sent instead. Clear it to send this text.' } : {})}
        />
      </div>
      <Templates form={form} project={project} sshKeys={sshKeys} />
      <FileControl
        name="userData"
        control={control}
        label="User data file"
        aside={file && `${formatSize(file.size)} of ${most / KiB} KiB`}
        hint="Load a file instead of typing."
        validate={fileProblem}
        // A mistake in a file is reported as soon as it is chosen.
        onValue={() => void form.trigger(['userData', 'userDataText'])}
      />
    </>
  )
}

type UserDataProps = Pick<SectionProps, 'form' | 'project'> & {
  /** The public keys of the user. */
  sshKeys: readonly string[]
}

/** The way from a template to the text, and back. */
function Templates({ form, project, sshKeys }: UserDataProps) {
  const [open, setOpen] = useState<'fill' | 'save'>()
  const [filled, setFilled] = useState<Filled>()
  const [file, text] = useWatch({ control: form.control, name: ['userData', 'userDataText'] })
  const lacks = useRole(project).lacks('collaborator')
  const close = () => setOpen(undefined)
  const noText = text.trim() === '' ? 'Type user data first' : undefined
  return (
    <div className="-mt-1.5 flex flex-wrap gap-2">
      <Button
        size="small"
        disabledReason={file ? 'The file is sent instead. Clear it to use a template.' : undefined}
        onClick={() => setOpen('fill')}
      >
        Fill in a template
      </Button>
      <Button size="small" disabledReason={lacks ?? noText} onClick={() => setOpen('save')}>
        Save as template
      </Button>
      {open === 'fill' && (
        <FillTemplate
          project={project}
          sshKeys={sshKeys}
          filled={filled}
          replaces={text.trim() !== ''}
          onFilled={(made, values) => {
            setFilled(values)
            form.setValue('userDataText', made, { shouldDirty: true, shouldValidate: true })
            close()
          }}
          onDismiss={close}
        />
      )}
      {open === 'save' && <SaveAsTemplate project={project} text={text} onClose={close} />}
    </div>
  )
}
