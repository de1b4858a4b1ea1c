import {
  createElement,
  createContext,
  type AnchorHTMLAttributes,
  type ComponentType,
  type ReactNode,
  type Ref,
  useContext,
} from 'react'

/** The props of a link: an anchor's attributes, `href` being an address inside or outside the app. */
export interface UiLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  href: string
  ref?: Ref<HTMLAnchorElement> | undefined
}

const LinkContext = createContext<ComponentType<UiLinkProps> | 'a'>('a')

/** Provides the link component that the app navigates with. Without it, links are plain anchors. */
export const UiLinkProvider = LinkContext.Provider

/** The app's link, unstyled. */
export function UiLink(props: UiLinkProps) {
  return createElement(useContext(LinkContext), props)
}

/** A link inside running text. */
export function TextLink({ className, ...props }: UiLinkProps) {
  return (
    <UiLink
      {...props}
      className={`text-accent-text underline decoration-1 underline-offset-2 hover:decoration-2 ${className ?? ''}`}
    />
  )
}

/** A link out of the product: opens a new tab and says so to assistive technology. */
export function ExternalLink({
  href,
  children,
  className,
}: {
  href: string
  children: ReactNode
  className?: string
}) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className={className ?? 'text-accent-text underline decoration-1 underline-offset-2 hover:decoration-2'}
    >
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
