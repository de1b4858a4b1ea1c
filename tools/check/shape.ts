import { dirname } from 'node:path'
import { parseSync } from 'oxc-parser'
import { type Finding, isCode, isTest, lineCount, mayBeLong, quantile, type TextFile } from './files.ts'

/** The house's limits; docs/architecture.md gives the aims. */
export const limits = {
  folderFiles: 25,
  fileLines: 400,
  functionLines: 80,
  componentLines: 120,
  depth: 3,
  parameters: 3,
  castsPerThousandLines: 4,
}

/** One function as measured. */
export interface FunctionShape {
  name: string
  line: number
  lines: number
  depth: number
  parameters: number
  isComponent: boolean
}

interface Ast {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const NESTING = new Set([
  'IfStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'SwitchStatement',
  'TryStatement',
])

/** Measures every function of a file. Throws if it does not parse. */
export function functionShapes({ path, text }: TextFile): FunctionShape[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length) throw new Error(`${path}: ${errors[0]?.message}`)
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lineAt = (offset: number) => lineStarts.findLastIndex((start) => start <= offset) + 1
  const shapes: FunctionShape[] = []
  visit(program as unknown as Ast, { depth: 0, name: '', inside: undefined })
  return shapes

  function visit(node: Ast, at: { depth: number; name: string; inside: FunctionShape | undefined }): void {
    let { depth, inside } = at
    if (FUNCTIONS.has(node.type)) {
      inside = measure(node, at.name)
      shapes.push(inside)
      depth = 0
    } else if (NESTING.has(node.type)) {
      depth++
    }
    if (inside) {
      inside.depth = Math.max(inside.depth, depth)
      inside.isComponent ||= node.type.startsWith('JSX') && path.endsWith('.tsx')
    }
    const name = nameIn(node)
    for (const [key, child] of children(node)) {
      // `else if` is the same level as its `if`.
      const isElseIf = key === 'alternate' && child.type === 'IfStatement'
      visit(child, { depth: isElseIf ? depth - 1 : depth, name, inside })
    }
  }

  function measure(node: Ast, name: string): FunctionShape {
    const line = lineAt(node.start)
    const parameters = nodesIn(node['params']).filter((parameter) => parameter['name'] !== 'this').length
    const own = nameOf(node['id'])
    return {
      name: own || name || 'a function',
      line,
      lines: lineAt(node.end) - line + 1,
      depth: 0,
      parameters,
      isComponent: false,
    }
  }
}

/** The name that a declaration gives to the function in it. */
const nameIn = (node: Ast) => nameOf(node['id']) || nameOf(node['key'])

const nameOf = (id: unknown) => (isAst(id) && typeof id['name'] === 'string' ? id['name'] : '')

function* children(node: Ast): Generator<[string, Ast]> {
  for (const [key, value] of Object.entries(node)) {
    for (const child of nodesIn(value)) yield [key, child]
  }
}

const nodesIn = (value: unknown): Ast[] => (Array.isArray(value) ? value : [value]).filter(isAst)

const isAst = (value: unknown): value is Ast =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Files in each folder; length of files; length, depth and parameters of functions. */
export function checkShape(files: TextFile[]): Finding[] {
  const code = files.filter(({ path }) => isCode(path))
  return [checkFolders(code), checkFiles(code), checkFunctions(code.filter(({ path }) => !isTest(path)))]
}

function checkFolders(code: TextFile[]): Finding {
  const folders = Object.entries(Object.groupBy(code, ({ path }) => dirname(path)))
  const sizes = folders.map(([folder, files = []]) => ({ folder, size: files.length }))
  const problems = sizes
    .filter(({ size }) => size > limits.folderFiles)
    .map(
      ({ folder, size }) =>
        `${folder} has ${size} files; the limit is ${limits.folderFiles}: divide it by subject`,
    )
  const largest = Math.max(0, ...sizes.map(({ size }) => size))
  const said = `${sizes.length} folders of code, the largest has ${largest} files`
  return { name: 'folders', said, problems, figures: { folders: sizes.length, folderLargest: largest } }
}

function checkFiles(code: TextFile[]): Finding {
  const counted = code.filter(({ path }) => !mayBeLong(path))
  const lines = counted.map(({ text }) => lineCount(text))
  const [median, p90] = [quantile(lines, 0.5), quantile(lines, 0.9)]
  const problems = counted
    .filter(({ text }) => lineCount(text) > limits.fileLines)
    .map(({ path, text }) => `${path} has ${lineCount(text)} lines; the limit is ${limits.fileLines}`)
  const said = `${lines.length} files, median ${median} lines, p90 ${p90}, longest ${Math.max(0, ...lines)}`
  return { name: 'files', said, problems, figures: { files: lines.length, fileMedian: median, fileP90: p90 } }
}

function checkFunctions(code: TextFile[]): Finding {
  const measured = code.flatMap((file) =>
    functionShapes(file).map((shape) => ({ ...shape, path: file.path })),
  )
  const problems = measured.flatMap((shape) =>
    excesses(shape).map((excess) => `${shape.path}: ${shape.name} (from line ${shape.line}) has ${excess}`),
  )
  const lines = measured.map((shape) => shape.lines)
  const [median, p90] = [quantile(lines, 0.5), quantile(lines, 0.9)]
  const deepest = Math.max(0, ...measured.map(({ depth }) => depth))
  const said =
    `${lines.length} functions, median ${median} lines, p90 ${p90}, longest ${Math.max(0, ...lines)}, ` +
    `deepest ${deepest}, most parameters ${Math.max(0, ...measured.map(({ parameters }) => parameters))}`
  const figures = { functions: lines.length, functionMedian: median, functionP90: p90 }
  return { name: 'functions', said, problems, figures }
}

/** The exceeded limits of a function, in words. */
export function excesses(shape: FunctionShape): string[] {
  const lineLimit = shape.isComponent ? limits.componentLines : limits.functionLines
  const over = (value: number, limit: number, noun: string) =>
    value > limit ? [`${value} ${noun}; the limit is ${limit}`] : []
  return [
    ...over(shape.lines, lineLimit, 'lines'),
    ...over(shape.depth, limits.depth, 'levels of nesting'),
    ...over(shape.parameters, limits.parameters, 'parameters'),
  ]
}
