import { formatCallSite, type CallSite } from './call-site.ts'

/**
 * For each file, maps `line:column` in the module to the position in the developer's source. Build tools provide this.
 */
interface Places {
  readonly __understudyPlaces?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Formats a call site like {@link formatCallSite}, with the position in the source if the build tool provides it. */
export function formatWrittenPlace(site: CallSite): string {
  const places = (globalThis as Places).__understudyPlaces?.[site.file]
  return formatCallSite(site).replace(/\d+:\d+$/, (place) => places?.[place] ?? place)
}
