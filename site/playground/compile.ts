import { transform } from 'sucrase'

/** Compiles TypeScript into a CommonJS module. Returns a message if the syntax is invalid. Lines keep their numbers. */
export function compile(code: string): { code: string } | { message: string; line: number | null } {
  try {
    return { code: transform(code, { transforms: ['typescript', 'imports'], production: true }).code }
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number } }
    const text = message.replace(/^Error transforming [^:]*: /, '').replace(/ \(\d+:\d+\)$/, '')
    return { message: `Failed to read the handlers: ${text}.`, line: loc?.line ?? null }
  }
}
