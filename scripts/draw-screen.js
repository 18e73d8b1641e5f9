/** Draws screens: one is a picture, several are a film. */
import { BACKGROUND, runsOf } from './screen-runs.js'

const WIDTH = 9
const HEIGHT = 17.5
const MARGIN = 14
const SIZE = 15

/** @typedef {{ columns: number, rows: number }} Size */

/**
 * Screens one after the other, as an SVG that plays by itself and needs no script.
 * @param {readonly { screen: string, seconds: number }[]} frames
 * @param {Size} size
 */
export function drawFilm(frames, { columns, rows }) {
  const [width, height] = [columns * WIDTH + 2 * MARGIN, rows * HEIGHT + 2 * MARGIN]
  const whole = frames.reduce((sum, { seconds }) => sum + seconds, 0)
  let passed = 0
  const groups = frames.map(({ screen, seconds }) => {
    const from = passed
    passed += seconds
    return frameGroup(screen, { from: from / whole, to: passed / whole, whole, rows })
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    ` font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="${SIZE}">`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    ...groups,
    '</svg>\n',
  ].join('\n')
}

/**
 * @param {string} screen
 * @param {{ from: number, to: number, whole: number, rows: number }} time
 */
function frameGroup(screen, { from, to, whole, rows }) {
  const texts = runsOf(screen)
    .slice(0, rows)
    .flatMap((runs, row) => runs.flatMap(withEdges).map((run) => svgText(run, row)))
  const times = [0, from, to, 1].map((time) => time.toFixed(4)).join(';')
  const show =
    from === 0 && to === 1
      ? ''
      : `<animate attributeName="visibility" dur="${whole.toFixed(1)}s" repeatCount="indefinite" calcMode="discrete" keyTimes="${times}" values="hidden;visible;hidden;hidden"/>`
  return `<g visibility="${from === 0 ? 'visible' : 'hidden'}">${show}${texts.join('')}</g>`
}

/**
 * The edges of frames each by itself: their places do not depend on how wide a viewer draws the text before them.
 * @param {import('./screen-runs.js').Run} run
 */
function withEdges(run) {
  let { column } = run
  return (run.text.match(/[│╭╮╰╯]|[^│╭╮╰╯]+/gu) ?? []).map((text) => {
    const part = { ...run, text, column }
    column += [...text].length
    return part
  })
}

/**
 * @param {import('./screen-runs.js').Run} run
 * @param {number} row
 */
function svgText({ column, text, colour, background, bold, dim }, row) {
  if (text.trim() === '' && background === null) return ''
  const [x, y, length] = [MARGIN + column * WIDTH, MARGIN + row * HEIGHT, [...text].length * WIDTH]
  const box =
    background === null ? '' : `<rect x="${x}" y="${y}" width="${length}" height="${HEIGHT}" fill="${background}"/>`
  const style = `${bold ? ' font-weight="bold"' : ''}${dim ? ' opacity="0.6"' : ''}`
  const escaped = text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`).replaceAll(' ', '\u00a0') // a viewer may make one of several spaces, and stretch the rest
  return `${box}<text x="${x}" y="${y + SIZE}" textLength="${length}" fill="${colour}"${style}>${escaped}</text>`
}
