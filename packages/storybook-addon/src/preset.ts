export { previewHead } from './preset/preview-head.ts'
export { staticDirs } from './preset/serve-worker.ts'
export { viteFinal } from './preset/vite.ts'
export { webpackFinal } from './preset/webpack.ts'
