/**
 * A test file that imports this module runs in the whole browser, as people use it, and not in the headless shell
 * ([decision 257](../../docs/decisions/0257-the-headless-shell-in-the-first-tier.md)).
 */
process.env['UNDERSTUDY_HEADLESS_SHELL'] = ''
