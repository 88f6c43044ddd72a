// Fails where a comment does not begin with the name of a thing, and where a word is not spelled as Americans do.
import { sources, text } from './lib/graph.mjs';
import { done, run, Trouble } from './lib/say.mjs';
import { britishWords, namelessComments } from './lib/words.mjs';

const OURS = ['ts', 'tsx', 'mjs', 'cjs', 'js', 'cc', 'h', 'c'].map((ending) => `*.${ending}`);
const TEXTS = ['md', 'css', 'json', 'py', 'svg', 'yaml', 'txt', 'service'].map((ending) => `*.${ending}`);
/** Names and sums of other people's packages. */
const LOCK = ':!package-lock.json';

await run(async () => {
  const code = new Set(sources(...OURS));
  const files = [...code, ...sources(...TEXTS, LOCK)];
  const found = files.flatMap((file) => {
    const written = text(file);
    const trouble = [...(code.has(file) ? namelessComments(written) : []), ...britishWords(written)];
    return trouble.map(({ line, wrong, cure }) => `${file}:${line}: ${wrong}: ${cure}`);
  });
  if (found.length > 0) throw new Trouble(`words:\n  ${found.join('\n  ')}`);
  done(`words of ${files.length} files`);
});
