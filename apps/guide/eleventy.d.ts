/** The parts of Eleventy that are used; the package has no types. */
declare module '@11ty/eleventy' {
  interface Token {
    type: string
    tag: string
    content: string
    children: Token[] | null
    attrGet(name: string): string | null
    attrSet(name: string, value: string): void
  }
  type Rule = (tokens: Token[], at: number) => string
  export interface Markdown {
    core: { ruler: { push(name: string, rule: (state: { tokens: Token[] }) => void): void } }
    renderer: { rules: Record<string, Rule> }
    utils: { escapeHtml(text: string): string }
  }
  export interface Configuration {
    addTemplate(path: string, content: string, data: Record<string, unknown>): void
    addGlobalData(name: string, value: unknown): void
    addFilter(name: string, filter: (value: string) => unknown): void
    addPreprocessor(name: string, extension: string, change: (data: unknown, text: string) => string): void
    amendLibrary(extension: string, change: (markdown: Markdown) => void): void
    setLayoutsDirectory(path: string): void
    setUseGitIgnore(isUsed: boolean): void
    setTemplateFormats(formats: string[]): void
  }
  export interface BuiltPage {
    url: string
    content: string
  }
  export class Eleventy {
    constructor(
      input: string,
      output: string,
      options: {
        quietMode: boolean
        source: 'script'
        config: (made: Configuration) => void
      },
    )
    disableLogger(): void
    init(): Promise<void>
    /** The pages, in memory. */
    toJSON(): Promise<BuiltPage[]>
  }
}
