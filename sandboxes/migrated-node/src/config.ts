/** Where the service finds what it needs. */
export const config = {
  forecasts: 'https://forecasts.example.com/v1',
  stations: 'https://stations.example.com',
  alerts: 'https://alerts.example.com/graphql',
}
