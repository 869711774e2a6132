export { renderHtml } from './page.ts'
