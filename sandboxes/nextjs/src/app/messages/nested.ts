const inner = new Worker(new URL('./inner.ts', import.meta.url), { type: 'module' })
inner.addEventListener('message', ({ data }: MessageEvent<string>) => postMessage(data))
