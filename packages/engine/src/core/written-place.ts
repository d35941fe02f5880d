import { formatCallSite, type CallSite } from './call-site.ts'

/** By files, where the developer wrote what a module has at `line:column`. Build tools know it. */
interface Places {
  readonly __understudyPlaces?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Formats a call site like {@link formatCallSite}, with the place in the source if the build tool says it. */
export function formatWrittenPlace(site: CallSite): string {
  const places = (globalThis as Places).__understudyPlaces?.[site.file]
  return formatCallSite(site).replace(/\d+:\d+$/, (place) => places?.[place] ?? place)
}
