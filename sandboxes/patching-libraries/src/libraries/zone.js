export function install() {
  return import('zone.js')
}
