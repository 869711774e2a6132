export { renderHtml, type HtmlOptions, type TitledHistory } from './page.ts'
