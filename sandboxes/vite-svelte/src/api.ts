export interface Cue {
  id: number
  text: string
  isDone: boolean
}

async function ask<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(`/api/${path}`, init)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return (await response.json()) as Answer
}

/** Requested while modules load. */
export const show = ask<{ title: string }>('show')

export const getCues = (): Promise<Cue[]> => ask('cues')
export const finishCue = (id: number): Promise<Cue> => ask(`cues/${id}/done`, { method: 'POST' })
