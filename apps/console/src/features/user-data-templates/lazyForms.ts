/** Forms of the create form of instances. They bring the parser of YAML. */
import { lazily } from '#/lib/lazily.tsx'

export const FillTemplate = lazily(() => import('./FillTemplate.tsx'), 'FillTemplate')
export const SaveAsTemplate = lazily(() => import('./SaveAsTemplate.tsx'), 'SaveAsTemplate')
