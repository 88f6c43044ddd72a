// What lint asks of words: how comments begin, and American spelling.

/** A comment at the start of a line or behind code. The `://` of an address is none. */
const COMMENT = /(?:^|[\s;{(,])(\/\/[<!/]*|\/\*\*?<?)\s*(.*)$/;
/** Words that leave the reader to look for the thing. `One-way` and `that's` are others. */
const NAMELESS = /^(?:Of|of|That|that|One|one|The same|the same|And|and|Or|or)(?![\w’'-])/;

/** Comments of a file of TypeScript, JavaScript or C++ that do not begin with the name of a thing. */
export function namelessComments(text) {
  const found = [];
  const lines = text.split('\n');
  for (const [i, line] of lines.entries()) {
    const [, mark, behind] = COMMENT.exec(line) ?? [];
    if (mark === undefined) continue;
    const block = mark.startsWith('/*');
    // A line that continues the comment above begins nothing.
    if (!block && /^\s*\/\//.test(line) && /^\s*\/\//.test(lines[i - 1] ?? '')) continue;
    const first = block && behind === '' ? (lines[i + 1] ?? '').replace(/^\s*\*?\s*/, '') : behind;
    const [word] = NAMELESS.exec(first) ?? [];
    if (word === undefined) continue;
    found.push({ line: i + 1, wrong: `a comment begins with “${word}”`, cure: 'name the thing first' });
  }
  return found;
}

/**
 * British spellings, each with what stands for its part in parentheses, which keep this file from having them. Not among them:
 * - `cancelled` and its kin: a run's state has that name in the protocol and in databases
 * - `labelledby`: ARIA's name
 * - `towards`, and `analyses` of several analyses, which Americans write too
 */
const SPELLINGS = [
  ['(?:col|neighb|behavi|fav|hon|lab|harb|flav|hum|rum)(ou)r', 'o'],
  ['(?:catal|anal)(ogue)', 'og'],
  ['(?:anal|paral|catal)(ys)(?:ed|e(?!s\\b)|er|ing)', 'yz'],
  ['(?:cent|fib|theat|lit)(re)s?(?![a-z])', 'er'],
  ['cent(r)(?:ed|ing)', 'er'],
  ['\\b(?:kilo|centi|milli|micro|nano)?met(re)s?\\b', 'er'],
  ['\\bgr(e)y', 'a'],
  ['\\blicen(c)e', 's'],
  ['\\b(?:def|off|pret)en(c)e', 's'],
  ['(?:signa|trave|mode|labe|tunne|channe|tota|leve|equa|initia|marsha|fue)(ll)(?:ed(?!by)|ing|er)', 'l'],
  ['(?:judg|knowledg)(e)ment', ''],
  ['\\b(?:mis)?spel(t)\\b', 'led'],
  ['\\b(?:lear|bur)n(t)\\b', 'ned'],
  ['\\b(?:whil|among)(st)\\b', ''],
  ['\\bart(e)fact', 'i'],
  [
    '(?:apolog|author|capital|categor|character|central|custom|emphas|final|formal|general|initial|local|maxim|memor' +
      '|minim|neutral|normal|optim|organ|parallel|priorit|quant|random|real|recogn|sanit|serial|special|stabil' +
      '|standard|summar|synchron|token|util|virtual|visual)(is)(?:e|ed|er|es|ers|ing|ation|ations)(?![a-z])',
    'iz',
  ],
].map(([british, american]) => ({ pattern: new RegExp(british, 'dgi'), american }));

/** The letters at `index`, without a break between them. */
function wordAt(text, index) {
  const start = index - /[a-z]*$/i.exec(text.slice(Math.max(0, index - 40), index))[0].length;
  return { start, word: /^[a-z]*/i.exec(text.slice(start, start + 80))[0] };
}

/** Words of a text that are not spelled as Americans do. */
export function britishWords(text) {
  const found = [];
  for (const { pattern, american } of SPELLINGS)
    for (const { index, indices } of text.matchAll(pattern)) {
      const { start, word } = wordAt(text, index);
      const [from, to] = indices[1].map((at) => at - start);
      const part = word.slice(from, to);
      const right = part === part.toUpperCase() ? american.toUpperCase() : american;
      const cure = `write “${word.slice(0, from)}${right}${word.slice(to)}”`;
      found.push({ line: text.slice(0, index).split('\n').length, wrong: `“${word}”`, cure });
    }
  return found.sort((a, b) => a.line - b.line);
}
