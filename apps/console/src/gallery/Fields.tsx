import { useState } from 'react'
import { CheckboxField } from '#/ui/field/CheckboxField.tsx'
import { ComboboxField } from '#/ui/field/ComboboxField.tsx'
import { FileField } from '#/ui/field/FileField.tsx'
import { ListboxField } from '#/ui/field/ListboxField.tsx'
import { MiniTable, MiniTableButtons } from '#/ui/field/MiniTable.tsx'
import { NumberField } from '#/ui/field/NumberField.tsx'
import { RadioCards } from '#/ui/field/RadioCards.tsx'
import { RadioGroupField } from '#/ui/field/RadioGroupField.tsx'
import { TextAreaField } from '#/ui/field/TextAreaField.tsx'
import { TextField } from '#/ui/field/TextField.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { Specimen } from './Specimen.tsx'

const images = [
  { value: 'u', label: 'ubuntu-24-04', description: 'Ubuntu 24.04, 2 GiB' },
  { value: 'd', label: 'debian-13', description: 'Debian 13, 1 GiB' },
  { value: 'a', label: 'alpine-3-22', description: 'Alpine 3.22, 200 MiB' },
]
const many = Array.from({ length: 1000 }, (_, i) => ({ value: `disk-${i}`, label: `disk-${i}` }))
const sources = [
  { value: 'blank', label: 'Blank', description: 'Empty volume' },
  { value: 'image', label: 'Image', description: 'From an image' },
  { value: 'snapshot', label: 'Snapshot', description: 'Point in time' },
]

/** Every field in every state. */
export function Fields() {
  return (
    <>
      <PageHeader title="Fields" />
      <Specimen title="Plain fields">
        <div className="grid w-full gap-x-8 gap-y-[18px] wide:grid-cols-3">
          <Texts />
          <Lists />
          <Choices />
        </div>
      </Specimen>
    </>
  )
}

function Texts() {
  const [text, setText] = useState('scratch-01')
  const [size, setSize] = useState(0.5)
  return (
    <>
      <TextField label="Name" required mono value={text} onChange={setText} aside="10/63" />
      <TextField
        label="Name"
        required
        mono
        value="Scratch 01"
        onChange={setText}
        error="Can only contain lower-case letters, numbers, and dashes"
      />
      <TextField
        label="Owner"
        value="hanna.okafor"
        onChange={setText}
        disabledReason="Only the owner can be changed by an admin"
      />
      <TextAreaField
        label="Description"
        value=""
        onChange={setText}
        hint="Shown in lists"
        tip="A sentence for those who come after you."
      />
      <TextField
        label="Public key"
        mono
        copyable
        value="ssh-ed25519 AAAAC3NzaC1lZDI1NTE5"
        onChange={setText}
        required
      />
      <NumberField
        label="Size"
        units="GiB"
        required
        min={1}
        max={1023}
        value={size}
        onChange={setSize}
        error={size < 1 ? 'Must be at least 1 GiB' : undefined}
      />
    </>
  )
}

function Lists() {
  const [image, setImage] = useState('u')
  const [disk, setDisk] = useState('disk-7')
  const [custom, setCustom] = useState('')
  return (
    <>
      <ListboxField label="Image" required items={images} value={image} onChange={setImage} />
      <ListboxField label="Pool" required items={[]} value="" onChange={setImage} />
      <ListboxField
        label="Silo"
        items={images}
        loading
        value=""
        onChange={setImage}
        error="Silo is required"
      />
      <ComboboxField label="Disk, of a thousand" required items={many} value={disk} onChange={setDisk} mono />
      <ComboboxField
        label="Target"
        items={images}
        allowCustom
        value={custom}
        onChange={setCustom}
        hint={`Chosen: ${custom || 'nothing'}`}
      />
      <ComboboxField label="User" items={[]} loading value="" onChange={setCustom} error="User is required" />
    </>
  )
}

function Choices() {
  const [source, setSource] = useState('blank')
  const [isOn, setOn] = useState(true)
  const [file, setFile] = useState<File | null>(null)
  return (
    <>
      <RadioCards label="Source" required columns={3} options={sources} value={source} onChange={setSource} />
      <RadioGroupField
        label="Policy"
        required
        direction="row"
        options={[
          { value: 'blank', label: 'Allow' },
          { value: 'image', label: 'Fail' },
        ]}
        value={source}
        onChange={setSource}
      />
      <RadioGroupField
        label="Block size"
        required
        error="Block size is required"
        options={[
          { value: '512', label: '512', description: 'Fits everything' },
          { value: '4096', label: '4096', disabledReason: 'The image asks for 512' },
        ]}
        value=""
        onChange={setSource}
      />
      <div className="space-y-2">
        <CheckboxField label="Start when created" checked={isOn} onChange={setOn} />
        <CheckboxField
          label="Some of them"
          checked={false}
          indeterminate
          onChange={setOn}
          hint="Three of seven"
        />
        <CheckboxField
          label="Not for you"
          checked={false}
          onChange={setOn}
          disabledReason="Only an admin of the silo may do this"
        />
      </div>
      <FileField label="Image file" required accept=".iso,.raw,.qcow2" value={file} onChange={setFile} />
      <FileField
        label="Key file"
        value={new File(['x'.repeat(4000)], 'a-rather-long-name-of-a-certificate-chain.pem')}
        onChange={setFile}
      />
      <div className="space-y-3">
        <MiniTableButtons addLabel="Add target" isEmpty onAdd={() => undefined} onClear={() => undefined} />
        <MiniTable
          label="Targets"
          rows={[
            { type: 'vpc', value: 'default' },
            { type: 'ip', value: '10.0.0.1' },
          ]}
          columns={[
            { header: 'Type', cell: ({ type }) => type },
            { header: 'Value', cell: ({ value }) => value },
          ]}
          rowKey={({ value }) => value}
          onRemove={() => undefined}
        />
      </div>
    </>
  )
}
