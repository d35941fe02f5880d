import { transform } from 'sucrase'

/** TypeScript as a CommonJS module, or what is wrong with its syntax. Lines stay where they are. */
export function compile(code: string): { code: string } | { message: string; line: number | null } {
  try {
    return { code: transform(code, { transforms: ['typescript', 'imports'], production: true }).code }
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number } }
    const text = message.replace(/^Error transforming [^:]*: /, '').replace(/ \(\d+:\d+\)$/, '')
    return { message: `Failed to read the handlers: ${text}.`, line: loc?.line ?? null }
  }
}
