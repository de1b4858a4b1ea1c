import { KiB, limits } from '@purlin/contract/rules/limits'
import { useWatch } from 'react-hook-form'
import { formatSize } from '#/lib/format.ts'
import { ExternalLink } from '#/ui/button/link.tsx'
import { FileControl } from '#/ui/form/FileControl.tsx'
import { TextAreaControl } from '#/ui/form/TextAreaControl.tsx'
import type { SectionProps } from '../values/sections.ts'
import { bytesOf, fileProblem, textProblem } from './userData.ts'

const most = limits.instance.userData

/** The room for more text, or by how much a text is too long. */
function leftOf(text: string): string {
  const left = most - bytesOf(text)
  return left < 0 ? `${formatSize(-left)} too long` : `${formatSize(left)} left`
}

/** A text for the first boot, typed or from a file. */
export function UserData({ form }: Pick<SectionProps, 'form'>) {
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
