/**
 * Widths of text at 12 px, a little more than Inter and Geist Mono need. They are not measured, so that the drawing
 * depends on its state and width alone.
 */
const NARROW = /[ \u00a0.,:;!'’|·ijlI]/;
const SLIM = /[()[\]{}/frt]/;
const BROAD = /[mMwW@%…→]/;
const MONO = 7.2;

/** How wide a text is. `mono`: set in Geist Mono. */
export function widthOf(text: string, mono = false): number {
  let width = 0;
  for (const char of text) {
    if (mono) width += MONO;
    else if (NARROW.test(char)) width += 3.6;
    else if (SLIM.test(char)) width += 4.8;
    else if (BROAD.test(char)) width += 11.4;
    else width += /[A-Z]/.test(char) ? 8.8 : /[a-z]/.test(char) ? 7.2 : 7.8;
  }
  return width;
}

/** The text if it fits into `width`, or its beginning and `…`. Empty if there is no room for three letters. */
export function cut(text: string, width: number, mono = false): string {
  if (widthOf(text, mono) <= width) return text;
  let end = text.length;
  while (end > 2 && widthOf(`${text.slice(0, end)}…`, mono) > width) end--;
  // Half a number would be another one.
  const shown = /\d/.test(text[end] ?? '') ? text.slice(0, end).replace(/[\d,.]+$/, '') : text.slice(0, end);
  return shown.length > 2 ? `${shown.trimEnd()}…` : '';
}

/** Lines of at most `width`. What does not fit into `most` lines is cut. */
export function wrap(texts: readonly string[], width: number, most: number): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    let line = '';
    for (const word of text.replaceAll(/(\d) (B|[KMG]iB|[nµm]?s)\b/g, '$1\u00a0$2').split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && widthOf(longer) > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    lines.push(line);
  }
  const shown = lines.slice(0, most);
  if (lines.length > most) shown[most - 1] = `${shown[most - 1]} ${lines.slice(most).join(' ')}`;
  return shown.map((line) => cut(line, width));
}
