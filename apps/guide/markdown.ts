/** Changes to the rendering of Markdown: ids of headings, links between pages, pictures in both themes, wide tables. */
import type { Markdown } from '@11ty/eleventy'

/** `Attach a disk` → `attach-a-disk`. */
export const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/<[^>]*>|&\w+;|[`*]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/**
 * The address of a link's target: `disks.md#attach` is a page of the guide, `api:disk_create` an operation. `pageOf` is
 * the page of an operation. Throws on any other file.
 */
export function addressOf(target: string, pageOf: (operation: string) => string | undefined): string {
  const [, operation] = /^api:(\w+)$/.exec(target) ?? []
  if (operation !== undefined) {
    const page = pageOf(operation)
    if (page === undefined)
      throw new Error(`the guide links the operation ${operation}, which does not exist`)
    return `${page}#${operation}`
  }
  const [, file, hash = ''] = /^([a-z0-9-]+)\.md(#.*)?$/.exec(target) ?? []
  if (file !== undefined) return (file === 'index' ? '/docs' : `/docs/${file}`) + hash
  if (/^[#/]/.test(target)) return target
  throw new Error(`the guide links ${target}, which is none of its pages`)
}

/** The pictures of a screen, of which the page shows the one in its theme. */
const picture = (name: string, about: string, isDark: boolean) =>
  `<img class="${isDark ? 'dark' : 'light'}" src="/docs/screens/${name}-${isDark ? 'dark' : 'light'}.webp" alt="${about}" width="1440" height="900" loading="lazy">`

/** Applies the changes to Eleventy's renderer. */
export function amend(markdown: Markdown, pageOf: (operation: string) => string | undefined): void {
  markdown.core.ruler.push('guide', ({ tokens }) => {
    for (const [i, token] of tokens.entries()) {
      if (token.type === 'heading_open') token.attrSet('id', idOf(tokens[i + 1]?.content ?? ''))
      for (const child of token.children ?? []) {
        const target = child.type === 'link_open' ? child.attrGet('href') : null
        if (target !== null) child.attrSet('href', addressOf(target, pageOf))
      }
    }
  })
  const { rules } = markdown.renderer
  rules['table_open'] = () => '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>\n'
  rules['table_close'] = () => '</table></div>\n'
  rules['fence'] = (tokens, at) =>
    `<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[at]?.content ?? '')}</code></pre>\n`
  rules['image'] = (tokens, at) => {
    const token = tokens[at]
    const [, name] = /^\.\.\/screens\/([a-z0-9-]+)-light\.webp$/.exec(token?.attrGet('src') ?? '') ?? []
    if (!token || name === undefined) throw new Error('a picture of the guide is a light one of ../screens')
    const about = markdown.utils.escapeHtml(token.content)
    return picture(name, about, false) + picture(name, about, true)
  }
}
