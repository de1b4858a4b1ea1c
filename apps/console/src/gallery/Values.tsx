import Camera from 'lucide-react/icons/camera'
import Cpu from 'lucide-react/icons/cpu'
import HardDrive from 'lucide-react/icons/hard-drive'
import MemoryStick from 'lucide-react/icons/memory-stick'
import { BigNum } from '#/ui/value/BigNum.tsx'
import { BrandMark } from '#/ui/layout/BrandMark.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { CapacityBar } from '#/ui/value/CapacityBar.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Identicon } from '#/ui/value/Identicon.tsx'
import { Percent } from '#/ui/value/Percent.tsx'
import { descriptionProperty, idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { RelativeTime } from '#/ui/value/RelativeTime.tsx'
import { RequestId } from '#/ui/feedback/RequestId.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Truncate } from '#/ui/value/Truncate.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { Specimen } from './Specimen.tsx'

const id = '935499b3-7d2e-4a41-9c1b-0a6c2f4f5c1e'
const created = new Date('2026-11-18T14:02:11Z')
const long = 'Collects what the sensors of the northern plant report, a little late but complete.'

export function Values() {
  return (
    <>
      <PageHeader title="Values" />
      <Specimen title="Values">
        <DateTime date={created} caption="Run state updated" />
        <RelativeTime date={created} />
        <Size bytes={1536 * 1024 ** 2} />
        <Percent part={412} whole={640} />
        <Percent part={0} whole={0} />
        <BigNum value={999_999} />
        <BigNum value={10_234_567} />
        <BigNum value={18.4e18} />
        <RequestId id="b2f6c6a1-6d0c-4a37-b6b5-8d9a1b0e6b7e" />
      </Specimen>
      <Specimen title="Truncate: by width, by count, in the middle">
        <span className="w-60">
          <Truncate text={long} />
        </span>
        <Truncate text={long} max={32} />
        <Truncate text={id} max={20} at="middle" copyable className="mono" />
      </Specimen>
      <Specimen title="Properties table" stack>
        <PropertiesTable
          properties={[
            idProperty(id),
            { label: 'DNS name', value: <span className="mono">collector-01</span> },
            descriptionProperty(long),
            { label: 'Created', value: <DateTime date={created} /> },
            { label: 'Memory', value: <Size bytes={32 * 1024 ** 3} /> },
            { label: 'Address', value: undefined },
          ]}
        />
      </Specimen>
      <Specimen title="Capacity" stack>
        <div className="grid gap-4 wide:grid-cols-3">
          <CapacityBar
            icon={<Cpu />}
            title="CPU"
            unit="vCPUs"
            showUnit={false}
            used={412}
            total={640}
            reserved={100}
          />
          <CapacityBar icon={<MemoryStick />} title="Memory" unit="GiB" used={1843.2} total={4096} />
          <CapacityBar icon={<HardDrive />} title="Storage" unit="TiB" used={0} total={0} />
        </div>
      </Specimen>
      <Specimen title="Card and empty state" stack>
        <div className="grid gap-4 wide:grid-cols-2">
          <Card
            title="Boot disk"
            description="The disk this instance starts from"
            actions={<Button size="small">Change</Button>}
            footer="Takes effect at the next start."
          >
            <Truncate text={long} />
          </Card>
          <EmptyState
            icon={<Camera />}
            title="No snapshots"
            body="A snapshot keeps a disk as it was at one moment."
            action={<Button>New snapshot</Button>}
          />
        </div>
      </Specimen>
      <Specimen title="Identicon, brand, skeleton">
        {['engineering', 'research', 'operations', 'default'].map((name) => (
          <Identicon key={name} name={name} />
        ))}
        <BrandMark withName />
        <Skeleton className="h-3 w-40" />
      </Specimen>
    </>
  )
}
