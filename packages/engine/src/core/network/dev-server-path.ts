/** The paths of hot updates and lazy compilation of webpack and Rspack, which their code in the page requests. */
export const devServerPath: RegExp = /\.hot-update\.json$|\/__webpack_hmr$|\/lazy-compilation-using-|\/_rspack\/lazy\//
