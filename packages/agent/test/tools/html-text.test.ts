import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toPlainText } from '../../src/tools/html-text.ts'

const text = (html: string): string => toPlainText(html, 'https://example.org/docs/')

describe('the text of an HTML page', () => {
  it('has blocks on lines of their own, and marks for headings and items', () => {
    expect(text('<h2>A</h2><ul><li>one<li>two</ul><p>b  \n c</p>d<br>e')).toBe('## A\n\n- one\n- two\n\nb c\nd\ne')
  })

  it('has nothing that is not read: scripts, styles, comments', () => {
    const html = 'a<script>if (1 < 2) x("</p>")</SCRIPT><style>p{}</style><!-- <p>no --> b<svg><text>s</text></svg> c'
    expect(text(html)).toBe('a b c')
    expect(text('a<script>never closed <p>b')).toBe('a')
    expect(text('a<!-- never closed <p>b')).toBe('a')
  })

  it('keeps the spaces of preformatted text', () => {
    expect(text('<p>x</p><pre>if:\n    go  on</pre>')).toBe('x\n\nif:\n    go  on')
  })

  it('has links with whole addresses, but only those that lead to a page', () => {
    expect(text('<a href="more">m</a> <a href=/r?a&amp;b>r</a>')).toBe(
      'm (https://example.org/docs/more) r (https://example.org/r?a&b)',
    )
    expect(text('<a href="#top">t</a> <a href="javascript:x()">j</a> <a>n</a>')).toBe('t j n')
  })

  it('resolves character references, and leaves what is none', () => {
    expect(text('&lt;b&gt; &#65;&#x1F600; &amp;lt; &unknown; a & b < c &#0; &#x110000;')).toBe(
      '<b> A😀 &lt; &unknown; a & b < c \uFFFD \uFFFD',
    )
  })

  it('is found in time that grows with the page alone, whatever the page is', () => {
    const hostile = [
      '<script>',
      '<!--',
      '<a href="',
      '<pre> ',
      '< ',
      '&#',
      '<b> </b>',
      '<pre>\n \n',
      '<svg/>',
      '</script',
    ]
    const started = performance.now()
    for (const piece of hostile) text(piece.repeat(Math.ceil(2 ** 20 / piece.length)))
    text(`<pre>${' '.repeat(2 ** 20)}x`)
    expect(performance.now() - started).toBeLessThan(30_000)
  })

  it('is found for any input', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '</',
      'a',
      ' href=',
      '"',
      'script',
      'pre',
      '&',
      ';',
      '#',
      '\n',
      '<!--',
      '-->',
      'İ',
    )
    fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => typeof text(pieces.join('')) === 'string'))
  })
})
