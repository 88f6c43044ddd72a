// Writes what follows from the table of messages (packages/protocol/src/messages.ts): the rows of docs/protocol.md, and the
// patience of unusual requests in connection.ts, which pages load without the schemas. With --check, fails where it is stale.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'oxfmt';
import { root } from './lib/exec.mjs';
import { text } from './lib/graph.mjs';
import { done, run, Trouble } from './lib/say.mjs';

const FROM = {
  owner: 'owner',
  program: 'owner’s programs',
  peer: 'other agents',
  anyone: 'owner, other agents',
};

const code = (name) => `\`${name}\``;
const row = ({ type, reply, from, what }) =>
  `| ${code(type)} | ${reply ? code(reply.type) : 'none'} | ${FROM[from]} | ${what} |`;

/** Replaces the one match of `pattern`, whose first and last group stay. */
function written(path, pattern, middle) {
  const old = text(path);
  if (!pattern.test(old))
    throw new Trouble(`${path} has no place for what follows from the table of messages`);
  return old.replace(pattern, (_, begin, end) => `${begin}${middle}${end}`);
}

await run(async () => {
  const built = pathToFileURL(join(root, 'packages/protocol/dist/index.js'));
  const { ASKED, PLAIN_MS } = await import(built.href);
  const asked = Object.values(ASKED);
  const table = ['| message | reply | from | what |', '| --- | --- | --- | --- |', ...asked.map(row)];
  const unusual = asked.filter(({ kind, patience }) => kind === 'request' && patience !== PLAIN_MS);
  const ms = unusual.map(({ type, patience }) => `'${type}': ${patience},`);
  const files = {
    'docs/protocol.md': [
      /(<!-- messages: [^\n]*-->\n)[\s\S]*?(<!-- \/messages -->)/,
      `\n${table.join('\n')}\n\n`,
    ],
    'packages/protocol/src/connection.ts': [/(const OTHER_MS[^{]*= \{)[^}]*(\})/, `${ms.join('')}`],
  };
  for (const [path, [pattern, middle]] of Object.entries(files)) {
    const edited = written(path, pattern, middle);
    const { code: fresh } = await format(join(root, path), edited, JSON.parse(text('.oxfmtrc.json')));
    if (fresh === text(path)) continue;
    if (process.argv.includes('--check'))
      throw new Trouble(`${path} does not follow the table of messages: run node scripts/messages.mjs`);
    writeFileSync(join(root, path), fresh);
  }
  done(`${asked.length} messages of clients`);
});
