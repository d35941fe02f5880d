import type { Page } from 'playwright'

/**
 * Chooses an option of a tool in Storybook's toolbar. In Storybook 9, the tool is a native element.
 *
 * @param tool the accessible name of the tool
 * @param option the title of the option
 */
export async function chooseInToolbar(page: Page, tool: string, option: string): Promise<void> {
  const native = page.getByRole('combobox', { name: tool, exact: true })
  // The name of the button also contains the chosen option.
  const button = page.getByRole('button', { name: new RegExp(`^${tool}(?!s)`) }).first()
  await native.or(button).first().waitFor()
  if (await native.isVisible()) {
    await native.selectOption({ label: option })
    return
  }
  await button.click()
  // The name of the option also contains its description.
  await page.getByRole('option', { name: new RegExp(`^${option}\\b`) }).click()
}
