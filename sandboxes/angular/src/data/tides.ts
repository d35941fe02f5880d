export enum Harbor {
  Home = 'Esbjerg',
}

export const tides: readonly { at: string; meters: number }[] = [{ at: '04:10', meters: 1.4 }]
