import { useNavigate } from '@tanstack/react-router'
import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import Scan from 'lucide-react/icons/scan'
import {
  type KeyboardEvent,
  type MouseEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react'
import { moveFrom } from '#/lib/geometry/moves.ts'
import { cx } from '#/lib/text.ts'
import { IconButton } from '#/ui/button/IconButton.tsx'
import { layoutOf, type Layout, type Line } from './layout.ts'
import { describe, relatedTo, type Nodes, type TopologyNode } from './nodes.ts'
import { Card, Frame } from './Parts.tsx'

interface PictureProps {
  nodes: Nodes
  /** Of the VPC. */
  name: string
}

const partOf = (target: EventTarget): string | undefined =>
  target instanceof Element ? target.closest<SVGAElement>('[data-part]')?.dataset['part'] : undefined

/** A VPC drawn from its gateways to its instances. Arrow keys lead from part to part, and each part to its page. */
export function Picture({ nodes, name }: PictureProps) {
  const hint = useId()
  const box = useRef<HTMLDivElement>(null)
  const svg = useRef<SVGSVGElement>(null)
  const layout = useMemo(() => layoutOf(nodes), [nodes])
  const parts = useMemo(() => partsOf(nodes), [nodes])
  const [stop, setStop] = useState<string>()
  const [looked, setLooked] = useState<string>()
  const { scale, zoom } = useZoom(svg, layout.width)
  useStart(box, layout)
  const first = [...layout.boxes.keys()][0]
  const tabStop = stop !== undefined && layout.boxes.has(stop) ? stop : first
  const shown = looked === undefined ? undefined : parts.get(looked)
  const open = useOpen()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = zoomKeys[event.key]
    const to = tabStop === undefined ? undefined : moveFrom(tabStop, event.key, layout.boxes)
    if (step === undefined && to === undefined) return
    event.preventDefault()
    if (step !== undefined) return zoom(step)
    svg.current?.querySelector<SVGAElement>(`[data-part="${to}"]`)?.focus()
  }
  const frameStops = (ids: readonly { id: string }[]) => ids.find(({ id }) => id === tabStop)?.id
  return (
    <div>
      <Toolbar zoom={zoom} said={shown && describe(shown)} hint={hint} />
      <div
        ref={box}
        className="drafting-grid relative max-h-[70vh] overflow-auto rounded-lg border border-line bg-page"
      >
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it acts for the links in it */}
        <svg
          ref={svg}
          role="group"
          aria-label={`Picture of VPC ${name}`}
          aria-describedby={hint}
          viewBox={`0 0 ${layout.width} ${layout.height}`}
          className="mx-auto block"
          style={sizeOf(layout, scale)}
          onKeyDown={onKeyDown}
          onClick={open}
          onFocus={({ target }) => {
            const id = partOf(target)
            setStop(id)
            setLooked(id)
          }}
          onBlur={() => setLooked(undefined)}
          onPointerOver={({ target }) => setLooked(partOf(target))}
          onPointerLeave={() => setLooked(undefined)}
        >
          <Lines lines={layout.lines} />
          {[...nodes.gateways, ...nodes.routers].map((node) => {
            const at = layout.boxes.get(node.id)
            return at && <Card key={node.id} node={node} box={at} isStop={node.id === tabStop} />
          })}
          {nodes.subnets.map((subnet) => {
            const frame = layout.frames.get(subnet.id)
            if (!frame) return null
            const own = frameStops([subnet, ...subnet.interfaces])
            return <Frame key={subnet.id} subnet={subnet} frame={frame} boxes={layout.boxes} stop={own} />
          })}
          {looked !== undefined && <Marks id={looked} nodes={nodes} layout={layout} />}
        </svg>
      </div>
    </div>
  )
}

const partsOf = ({ gateways, routers, subnets }: Nodes): ReadonlyMap<string, TopologyNode> => {
  const all = [...gateways, ...routers, ...subnets, ...subnets.flatMap(({ interfaces }) => interfaces)]
  return new Map(all.map((node) => [node.id, node]))
}

/** Follows a link within the app; with a modifier or another button the browser does. */
function useOpen() {
  const navigate = useNavigate()
  return (event: MouseEvent) => {
    const href = event.target instanceof Element && event.target.closest('a')?.getAttribute('href')
    if (!href || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return
    event.preventDefault()
    void navigate({ href })
  }
}

type ZoomStep = 'in' | 'out' | 'fit'
const zoomKeys: Record<string, ZoomStep> = { '+': 'in', '=': 'in', '-': 'out', '0': 'fit' }
const zoomLimits = { least: 0.2, most: 2, step: 1.25 }

/** How large the picture is; undefined while it fits the width of its box. */
function useZoom(svg: RefObject<SVGSVGElement | null>, width: number) {
  const [scale, setScale] = useState<number>()
  const zoom = (step: ZoomStep) => {
    if (step === 'fit') return setScale(undefined)
    const now = (svg.current?.getBoundingClientRect().width ?? width) / width
    const next = step === 'in' ? now * zoomLimits.step : now / zoomLimits.step
    setScale(Math.min(zoomLimits.most, Math.max(zoomLimits.least, next)))
  }
  return { scale, zoom }
}

// Below this size of its letters a picture scrolls rather than shrinks.
const leastFitting = 0.75

const sizeOf = ({ width }: Layout, scale: number | undefined) =>
  scale === undefined
    ? { width: '100%', maxWidth: width, minWidth: width * leastFitting }
    : { width: width * scale, maxWidth: 'none' }

/** A picture that is higher than its box begins where its first part is, from which all lines go out. */
function useStart(box: RefObject<HTMLDivElement | null>, { boxes, height }: Layout) {
  const first = [...boxes.values()][0]
  const middle = first === undefined ? 0 : (first.y + first.height / 2) / height
  useLayoutEffect(() => {
    const { current } = box
    current?.scrollTo(0, middle * current.scrollHeight - current.clientHeight / 3)
  }, [box, middle])
}

const Lines = ({ lines }: { lines: readonly Line[] }) =>
  lines.map(({ from, to, path, isSecond }) => (
    <path
      key={`${from} ${to}`}
      d={path}
      className={cx('fill-none stroke-line-strong stroke-[1.5px]', isSecond && '[stroke-dasharray:5_4]')}
    />
  ))

/** Marks what is connected with a part, over the picture, so that the parts themselves stay as they are. */
function Marks({ id, nodes, layout }: { id: string; nodes: Nodes; layout: Layout }) {
  const related = relatedTo(id, nodes)
  const lines = layout.lines.filter(({ from, to }) => related.has(from) && related.has(to))
  return (
    <g className="pointer-events-none fill-none stroke-accent stroke-2">
      {lines.map(({ from, to, path, isSecond }) => (
        <path key={`${from} ${to}`} d={path} className={cx(isSecond && '[stroke-dasharray:5_4]')} />
      ))}
      {[...related].map((one) => {
        const at = layout.frames.get(one) ?? layout.boxes.get(one)
        return at && <rect key={one} {...at} rx={layout.frames.has(one) ? 8 : 5} />
      })}
    </g>
  )
}

/** Zooming, and all that is known of the part that is pointed at or has the focus. */
function Toolbar({
  zoom,
  said,
  hint,
}: {
  zoom: (step: ZoomStep) => void
  said: string | undefined
  hint: string
}) {
  return (
    <div className="mb-2 flex items-center justify-between gap-3">
      <p id={hint} className="min-w-0 wrap-anywhere text-hint text-secondary">
        {said ?? 'Arrow keys move between parts, + and − change the size. Dashed lines are fallback routes.'}
      </p>
      <div className="flex shrink-0 gap-1" role="group" aria-label="Size of the picture">
        <IconButton label="Smaller" size="small" onClick={() => zoom('out')}>
          <Minus size={14} aria-hidden />
        </IconButton>
        <IconButton label="Fit" size="small" onClick={() => zoom('fit')}>
          <Scan size={14} aria-hidden />
        </IconButton>
        <IconButton label="Larger" size="small" onClick={() => zoom('in')}>
          <Plus size={14} aria-hidden />
        </IconButton>
      </div>
    </div>
  )
}
