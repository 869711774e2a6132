export { didYouMean, nearest } from '../core/nearest.ts'
