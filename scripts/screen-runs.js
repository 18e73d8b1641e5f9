/** Reads a screen with colours, as a terminal gives it, into stretches of equal style. */

/** @typedef {{ column: number, text: string, colour: string, background: string | null, bold: boolean, dim: boolean }} Run */

export const FOREGROUND = '#d0d7de'
export const BACKGROUND = '#0d1117'
const COLOURS = ['#484f58', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#b1bac4']

/** @typedef {{ colour: string, bold: boolean, dim: boolean, inverse: boolean }} Style */

/** @type {Style} */
const PLAIN = { colour: FOREGROUND, bold: false, dim: false, inverse: false }

/**
 * The runs of every line.
 * @param {string} screen
 * @returns {Run[][]}
 */
export function runsOf(screen) {
  let style = PLAIN
  return screen.split('\n').map((line) => {
    /** @type {Run[]} */
    const runs = []
    let column = 0
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what it is about
    for (const [, codes, text = ''] of line.matchAll(/(?:\x1b\[([\d;]*)m)|([^\x1b]+)/g)) {
      if (codes !== undefined) style = styled(style, codes)
      if (text === '') continue
      runs.push({ column, text, ...look(style) })
      column += [...text].length
    }
    return runs
  })
}

/** @param {Style} style */
function look({ colour, bold, dim, inverse }) {
  return inverse
    ? { colour: BACKGROUND, background: colour, bold, dim: false }
    : { colour, background: null, bold, dim }
}

/**
 * @param {Style} style
 * @param {string} codes
 */
function styled(style, codes) {
  return Object.assign({}, style, ...codes.split(';').map((code) => change(Number(code))))
}

/**
 * @param {number} code
 * @returns {Partial<Style>}
 */
function change(code) {
  if (code === 0) return PLAIN
  if (code === 1) return { bold: true }
  if (code === 2) return { dim: true }
  if (code === 7) return { inverse: true }
  if (code === 22) return { bold: false, dim: false }
  if (code === 27) return { inverse: false }
  if (code === 39) return { colour: FOREGROUND }
  if (code >= 30 && code <= 37) return { colour: COLOURS[code - 30] ?? FOREGROUND }
  return code >= 90 && code <= 97 ? { colour: COLOURS[code - 90] ?? FOREGROUND } : {}
}
