import { styleText } from 'node:util'

const WIDTH = 80
const MARGIN = '   '
const LABEL = 9

/** A piece of the story as text: a title, what somebody says, or a heading with rows. */
export function layOut({ title, speaker, text, heading, about = '', rows = [] }, { colour }) {
  if (title) return `${paint(title, 'bold', colour)}\n\n`
  if (speaker) return `${said(speaker, text, colour).join('\n')}\n\n`
  const head = paint(`${heading}  `, 'bold', colour) + paint(cut(about, WIDTH - heading.length - 2), 'dim', colour)
  return `${[head.trimEnd(), ...rows.flatMap((row) => renderRow(row, colour))].join('\n')}\n\n`
}

function said(speaker, text, colour) {
  const lines = wrap(text, WIDTH - speaker.length - 2)
  return lines.map((line, index) => {
    const left = index === 0 ? `${speaker}: ` : ' '.repeat(speaker.length + 2)
    return paint(left, 'bold', colour) + line
  })
}

/** A label and a text beside it, broken at the width of the screen. */
function renderRow({ label, text, style, quoted = false }, colour) {
  const bar = quoted ? '│ ' : ''
  const room = WIDTH - MARGIN.length - LABEL - bar.length
  return text
    .split('\n')
    .flatMap((line) => wrap(line, room))
    .map((line, index) => {
      const left = (index === 0 ? label : '').padEnd(LABEL)
      return `${MARGIN}${paint(left, 'dim', colour)}${bar}${paint(line, style, colour)}`.trimEnd()
    })
}

/** The text in lines of at most `room` characters, broken between words; a word longer than that is cut. */
function wrap(text, room) {
  const words = text.split(' ').flatMap((word) => word.match(new RegExp(`.{1,${room}}`, 'g')) ?? '')
  const lines = []
  for (const word of words) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word
    if (lines.length > 0 && longer.length > room) lines.push(word)
    else lines.splice(-1, 1, longer)
  }
  return lines
}

function cut(text, room) {
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`
}

function paint(text, style, colour) {
  return colour && style ? styleText(style, text) : text
}
