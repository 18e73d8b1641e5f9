/** A dialog in words, answered line by line. */
export interface Question {
  readonly text: string
  /** Takes a line; the answer is what there is to say to it, '' for nothing. */
  readonly take: (line: string) => string | Promise<string>
}
