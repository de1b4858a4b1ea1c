import type { Control } from 'react-hook-form'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { validateIpWithoutZone } from '#/lib/input/ip.ts'
import { lastProblem, type Bounds } from '../words.ts'

/** The first and the last address of a block. */
export const BlockControls = ({ control }: { control: Control<Bounds> }) => (
  <>
    <TextControl
      name="firstAddress"
      label="First address"
      control={control}
      required
      mono
      validate={validateIpWithoutZone}
    />
    <TextControl
      name="lastAddress"
      label="Last address"
      control={control}
      required
      mono
      hint="The first address again for a single one"
      validate={(_, bounds) => lastProblem(bounds)}
    />
  </>
)
