import type { ScenariosOwner, ScenarioSwitch } from './scenario-switch.ts'

/**
 * Returns a network's switch for scenarios. Loads its code when the first handlers module has scenarios.
 *
 * @param report see {@link ScenarioSwitch}
 */
export async function loadScenarioSwitch(
  network: ScenariosOwner,
  report?: ConstructorParameters<typeof ScenarioSwitch>[1],
): Promise<ScenarioSwitch> {
  const loaded = await import('./scenario-switch.ts')
  return (network.scenarios ??= new loaded.ScenarioSwitch(network, report))
}
