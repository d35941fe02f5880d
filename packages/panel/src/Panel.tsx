import * as React from 'react'

import { keepChosenTab, readChosenTab, type TabId } from './chosen-tab.ts'
import { createLazy } from './create-lazy.tsx'
import { formatCount } from './format.ts'
import { HandlersView } from './handlers/HandlersView.tsx'
import { defaultKit } from './kit/default-kit.ts'
import { isOverridden } from './overrides/is-overridden.ts'
import { PanelProvider, type PanelTools } from './panel-context.ts'
import type { PanelState } from './panel-host.ts'
import type { PanelProps } from './panel-props.ts'
import { RequestsView } from './requests/RequestsView.tsx'
import type { Saving } from './save/SaveHandler.tsx'
import { ScenarioToggles } from './scenarios/ScenarioToggles.tsx'
import { useSettings } from './settings/use-settings.ts'
import { panelStyle } from './style/panel-style.ts'
import { toCustomProperties } from './theme.ts'
import { groupUnhandled } from './unhandled/group-unhandled.ts'
import { UnhandledView } from './unhandled/UnhandledView.tsx'

const SaveHandler = createLazy(async () => (await import('./save/SaveHandler.tsx')).SaveHandler, 'the dialog')
const SaveScenario = createLazy(async () => (await import('./scenarios/SaveScenario.tsx')).SaveScenario, 'the dialog')
const StateView = createLazy(async () => (await import('./state/StateView.tsx')).StateView, 'the state')

/**
 * Shows a network and controls it: its handlers, its requests, and the unhandled ones.
 * It fills the element around it.
 *
 * @example
 * <Panel host={host} settings={settings} onSettingsChange={setSettings} />
 */
export function Panel(props: PanelProps): React.ReactElement {
  const { host, kit, theme, settings = '', onSettingsChange, firstHandlers } = props
  const subscribe = React.useCallback((listener: () => void) => host.subscribe(listener), [host])
  const getState = (): PanelState | null => host.getState()
  const state = React.useSyncExternalStore(subscribe, getState, getState)
  const [chosenTab, setTab] = React.useState(readChosenTab)
  const [kept] = React.useState(() => new Map<string, unknown>())
  /** The keys of groups of unhandled requests. */
  const [ignored, setIgnored] = React.useState<ReadonlySet<string>>(new Set())
  const [clearedIds, setClearedIds] = React.useState<ReadonlySet<string>>(new Set())
  const [said, setSaid] = React.useState('')
  const [failure, setFailure] = React.useState<string | null>(null)
  const [saving, setSaving] = React.useState<Saving | null>(null)
  // The address of the page whose story was rendered before the last change.
  const [staleUrl, setStaleUrl] = React.useState<string | null>(null)
  const url = state?.info.url ?? null
  const [isSavingScenario, setSavingScenario] = React.useState(false)
  /** The notices with their undo stay after the dialogs. */
  const [hasSaved, setHasSaved] = React.useState(false)
  const [hasSavedScenario, setHasSavedScenario] = React.useState(false)
  const fail = React.useCallback((error: unknown): void => {
    setFailure(error instanceof Error ? error.message : String(error))
  }, [])
  const change = useSettings({ host, state, settings, onChange: onSettingsChange, onError: fail })
  const tools = React.useMemo(
    (): PanelTools => ({
      host,
      kit: { ...defaultKit, ...kit },
      change(handlerId, setting) {
        setFailure(null)
        if (host.remount) setStaleUrl(url)
        change(handlerId, setting).catch(fail)
      },
      save:
        host.saver &&
        ((exchanges, onSaved) => {
          setSaving({ exchanges, onSaved })
          setHasSaved(true)
        }),
      kept,
      fail,
      announce: setSaid,
    }),
    [host, kit, change, kept, fail, url],
  )
  const isStale = staleUrl !== null && staleUrl === url
  const requests = React.useMemo(
    () => state?.requests.filter(({ id }) => !clearedIds.has(id)) ?? [],
    [state?.requests, clearedIds],
  )
  const connections = React.useMemo(
    () => state?.connections.filter(({ id }) => !clearedIds.has(id)) ?? [],
    [state?.connections, clearedIds],
  )
  const unhandled = React.useMemo(() => groupUnhandled(requests), [requests])
  const unhandledCount = unhandled.filter(({ key }) => !ignored.has(key)).length
  const earlierCount = React.useMemo(
    () => state?.earlier?.reduce((sum, page) => sum + page.requests.length + page.connections.length, 0) ?? 0,
    [state?.earlier],
  )
  const { Tabs, EmptyState, Button } = tools.kit
  const stateParts = host.readState ? (state?.state ?? []) : []
  const tab = chosenTab === 'state' && stateParts.length === 0 ? 'handlers' : chosenTab

  const overridden = state?.handlers.filter((handler) => isOverridden(handler)) ?? []
  // The scenarios of the handlers file do not affect a server that renders pages.
  const canSaveScenario =
    host.scenario &&
    host.saver?.previewScenario &&
    !state?.info.isServer &&
    overridden.some(({ enabled, override }) => enabled && override !== null)
  function clear(): void {
    setClearedIds(new Set([...(state?.requests ?? []), ...(state?.connections ?? [])].map(({ id }) => id)))
    host.clearLog?.().catch(fail)
  }
  function remount(): void {
    setStaleUrl(null)
    host.remount?.()
  }
  function resetAll(): void {
    for (const { id } of overridden) tools.change(id, { enabled: true, override: null })
    if (state?.recording) host.record?.(null).catch(fail)
    setSaid('Every handler answers as written')
  }

  return (
    <PanelProvider value={tools}>
      <div className="us-panel" style={theme && toCustomProperties(theme)}>
        <style>{panelStyle}</style>
        {state?.info.notices.map((notice) => (
          <p key={notice} className="us-notice">
            {notice}
          </p>
        ))}
        {failure !== null && (
          <p className="us-notice" data-tone="negative" role="alert">
            {failure}{' '}
            <Button isPlain ariaLabel="Dismiss" onClick={() => setFailure(null)}>
              ✕
            </Button>
          </p>
        )}
        {host.saver && hasSaved && <SaveHandler saving={saving} onClose={() => setSaving(null)} />}
        {state && hasSavedScenario && (
          <SaveScenario state={state} isOpen={isSavingScenario} onClose={() => setSavingScenario(false)} />
        )}
        {state && <ScenarioToggles state={state} />}
        {state ? (
          <Tabs
            ariaLabel="Understudy"
            selected={tab}
            onSelect={(id) => {
              keepChosenTab(id)
              setTab(id as TabId)
            }}
            tabs={[
              { id: 'handlers', title: 'Handlers', count: state.handlers.length },
              { id: 'requests', title: 'Requests', count: requests.length + connections.length + earlierCount },
              {
                id: 'unhandled',
                title: 'Unhandled',
                count: unhandledCount,
                ...(unhandledCount > 0 && { tone: 'warning' }),
              },
              ...(stateParts.length > 0 ? [{ id: 'state', title: 'State', count: stateParts.length }] : []),
            ]}
            tools={
              (overridden.length > 0 || state.recording || isStale) && (
                <>
                  {state.recording && <span className="us-warning">Recording {state.recording} requests</span>}
                  {overridden.length > 0 && (
                    <span className="us-warning">{formatCount(overridden.length, 'handler')} overridden</span>
                  )}
                  {canSaveScenario && (
                    <Button
                      isPlain
                      onClick={() => {
                        setSavingScenario(true)
                        setHasSavedScenario(true)
                      }}
                    >
                      Save as scenario…
                    </Button>
                  )}
                  {isStale && <Button onClick={remount}>Remount story</Button>}
                  {(overridden.length > 0 || state.recording) && (
                    <Button tone="warning" onClick={resetAll}>
                      Reset all
                    </Button>
                  )}
                </>
              )
            }
          >
            {tab === 'handlers' && <HandlersView state={state} first={firstHandlers} />}
            {tab === 'requests' && (
              <RequestsView state={state} requests={requests} connections={connections} onClear={clear} />
            )}
            {tab === 'state' && <StateView state={state} />}
            {tab === 'unhandled' && (
              <UnhandledView groups={unhandled} state={state} ignored={ignored} onIgnore={setIgnored} onClear={clear} />
            )}
          </Tabs>
        ) : (
          <EmptyState title="Waiting for the page">
            <p>Requests appear when a mocked page opens.</p>
          </EmptyState>
        )}
        <div className="us-hidden" role="status">
          {said}
        </div>
      </div>
    </PanelProvider>
  )
}
