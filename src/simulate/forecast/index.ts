export type { Forecast } from './contract.ts'
export { forecastOf } from './forecast.ts'
