export { staticDirs } from './preset/serve-worker.ts'
export { previewHead } from './preset/share-hot-updates.ts'
export { viteFinal } from './preset/vite.ts'
export { webpackFinal } from './preset/webpack.ts'
