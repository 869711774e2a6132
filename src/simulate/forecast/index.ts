export { USUAL, type Forecast, type ForecastOptions } from './contract.ts'
export { forecastOf } from './forecast.ts'
