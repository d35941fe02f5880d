export const title: string = 'A mocked title'
