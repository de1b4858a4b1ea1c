import { serverNow } from '#/lib/clock.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import Images from 'lucide-react/icons/images'
import type { Scope } from '#/resource/kind.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { ActivityInPanel } from '#/features/audit-log/lazyActivity.ts'
import { Button } from '#/ui/button/Button.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { tagsProperty } from '#/resource/tags/tagsProperty.tsx'
import { SideModal } from '#/ui/overlay/SideModal.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { Truncate } from '#/ui/value/Truncate.tsx'
import { ofOne, usePolling } from '#/live/polling.ts'
import { imageQuery, type Image } from './images.tsx'
import { UsedBy } from './UsedBy.tsx'

/** The properties of an image of a project or, without one, of the silo: in a panel above its list, at `closeTo`. */
export function ImagePanel({ name, project, closeTo }: Scope & { name: string; closeTo: string }) {
  const navigate = useNavigate()
  const close = () => void navigate({ href: closeTo })
  const poll = usePolling<Image>((image) => (isDigestDue(image) ? 'computing' : undefined))
  const { data: image } = useSuspenseQuery({
    ...imageQuery(name, { project }),
    refetchInterval: ofOne(poll),
  })
  const properties = [
    idProperty(image.id),
    {
      label: 'Visibility',
      value: (
        <Badge tone={image.projectId ? 'neutral' : 'accent'}>{image.projectId ? 'project' : 'silo'}</Badge>
      ),
    },
    { label: 'Description', value: image.description },
    ...tagsProperty(image, closeTo),
    { label: 'OS', value: image.os },
    { label: 'Version', value: image.version },
    { label: 'Size', value: <Size bytes={image.size} /> },
    { label: 'Block size', value: <span className="mono">{image.blockSize} B</span> },
    {
      label: 'Digest',
      value: image.digest ? <Digest of={image.digest} /> : isDigestDue(image) ? 'Not computed yet' : null,
    },
    { label: 'Used by', value: <UsedBy image={image} project={project} /> },
    { label: 'Created', value: <DateTime date={image.timeCreated} /> },
    { label: 'Updated', value: <DateTime date={image.timeModified} /> },
  ]
  return (
    <SideModal
      title="Image details"
      resource={{ icon: Images, name: image.name }}
      onDismiss={close}
      footer={<Button onClick={close}>Close</Button>}
    >
      <PropertiesTable columns={1} properties={properties} />
      <ActivityInPanel resource={`image:${image.id}`} />
    </SideModal>
  )
}

const Digest = ({ of: { type, value } }: { of: NonNullable<Image['digest']> }) => (
  <Truncate text={`${type}:${value}`} max={26} at="middle" copyable className="mono" />
)

const day = 24 * 3_600_000
/** The digest of a new image is computed after it was made; an old image without one gets none. */
const isDigestDue = ({ digest, timeCreated }: Image): boolean =>
  !digest && serverNow() - timeCreated.getTime() < day
