/** Data of the program that the guide shows. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiPages, type Examples, type OpenApi } from '@purlin/guide/api'
import type { GuideParts } from '@purlin/guide/build'
import { openApiDocument } from '../openapi.ts'
import { root } from '../repo.ts'

/** All that a guide is built from, for a folder to build it into. */
export function guideParts(out: string): GuideParts {
  const document = openApiDocument()
  const examples: Examples = {}
  const [, glossary = ''] = readFileSync(join(root, 'docs/glossary.md'), 'utf8').split('# Glossary\n')
  return {
    root,
    out,
    document,
    api: apiPages(document as unknown as OpenApi, examples),
    lists: { glossary: oneByOne(glossary) },
  }
}

/** The entries of the glossary, each as a paragraph. */
const oneByOne = (entries: string): string =>
  entries.replaceAll(/^(\*\*)/gm, '\n$1').replaceAll(/(\. )(\*\*[A-Z])/g, '$1\n\n$2')
