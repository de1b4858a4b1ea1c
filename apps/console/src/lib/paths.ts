/** Whether a link is active: the current path is the link's, or lies below it or below its prefix. */
export const isActivePath = (path: string, href: string, prefix?: string): boolean => {
  const [link = ''] = href.split(/[?#]/)
  const isBelow = (base: string) => path === base || path.startsWith(base.endsWith('/') ? base : `${base}/`)
  return isBelow(link) || (prefix !== undefined && isBelow(prefix))
}

/** The same for the sidebar, where a list stays active while its '-new' form is open. */
export const isActiveNav = (path: string, href: string): boolean =>
  isActivePath(path, href) || path.startsWith(`${href}-new`)
