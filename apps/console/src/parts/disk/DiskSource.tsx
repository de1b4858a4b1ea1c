import { projectView } from '@purlin/contract/operations/projects'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { TextLink } from '../../ui/link.tsx'
import { Dash } from '../../ui/PropertiesTable.tsx'
import { FoundName, things, useThing } from '../things.tsx'
import type { Disk } from './disks.tsx'

// A name is what is wanted, and that rarely changes.
const minute = 60_000

type Made = Pick<Disk, 'imageId' | 'snapshotId'>

/** What a disk began as. */
export function DiskType({ disk: { imageId, snapshotId } }: { disk: Made }) {
  if (imageId) return 'Image'
  return snapshotId ? 'Snapshot' : 'Blank'
}

interface SourceProps {
  project: string
  id: string
  /** Whether the name leads to the details of the source. */
  linked: boolean
}

/** What a disk was made from, if anything. Its source may be gone, the disk is none the worse for it. */
export function DiskSource({
  disk: { imageId, snapshotId },
  project,
  linked = false,
}: {
  disk: Made
  project: string
  linked?: boolean
}) {
  if (imageId) return <ImageName project={project} id={imageId} linked={linked} />
  return snapshotId ? <SnapshotName project={project} id={snapshotId} linked={linked} /> : <Dash />
}

function ImageName({ project, id, linked }: SourceProps) {
  return (
    <FoundName found={useThing(things.image(project), id)} gone="Image deleted">
      {({ name, projectId }) =>
        projectId ? (
          <ProjectImageName name={name} projectId={projectId} linked={linked} />
        ) : (
          <Name href={linked && paths.siloImage(name)}>{name}</Name>
        )
      }
    </FoundName>
  )
}

/** An image may have gone from the silo to another project than the disk's; its page is there. */
function ProjectImageName({ name, projectId, linked }: { name: string; projectId: string; linked: boolean }) {
  const read = query(projectView, { params: { project: projectId } })
  const { data } = useQuery({ ...read, staleTime: minute, throwOnError: false })
  return (
    <Name href={linked && data !== undefined && paths.projectImage({ project: data.name, image: name })}>
      {name}
    </Name>
  )
}

function SnapshotName({ project, id, linked }: SourceProps) {
  return (
    <FoundName found={useThing(things.snapshot(project), id)} gone="Snapshot deleted">
      {({ name }) => <Name href={linked && paths.snapshot({ project, snapshot: name })}>{name}</Name>}
    </FoundName>
  )
}

const Name = ({ href, children }: { href: string | false; children: ReactNode }) =>
  href === false ? children : <TextLink href={href}>{children}</TextLink>
