// Writes what follows from the table of messages (packages/protocol/src/messages.ts): the rows of docs/protocol.md, and the
// patience of unusual requests in connection.ts, which pages load without the schemas. With --check, fails where it is stale.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './lib/exec.mjs';
import { code, tableOf, writeParts } from './lib/generated.mjs';
import { done, run } from './lib/say.mjs';

const FROM = {
  owner: 'owner',
  program: 'owner’s programs',
  peer: 'other agents',
  anyone: 'owner, other agents',
};

const row = ({ type, reply, from, what }) =>
  `| ${code(type)} | ${reply ? code(reply.type) : 'none'} | ${FROM[from]} | ${what} |`;

await run(async () => {
  const built = pathToFileURL(join(root, 'packages/protocol/dist/index.js'));
  const { ASKED, PLAIN_MS } = await import(built.href);
  const asked = Object.values(ASKED);
  const table = ['| message | reply | from | what |', '| --- | --- | --- | --- |', ...asked.map(row)];
  const unusual = asked.filter(({ kind, patience }) => kind === 'request' && patience !== PLAIN_MS);
  const ms = unusual.map(({ type, patience }) => `'${type}': ${patience},`);
  const script = 'scripts/messages.mjs';
  await writeParts('docs/protocol.md', [tableOf('messages', table.join('\n'))], script);
  const patience = {
    what: 'the patience of requests',
    place: /(const OTHER_MS[^{]*= \{)[^}]*(\})/,
    middle: ms.join(''),
  };
  await writeParts('packages/protocol/src/connection.ts', [patience], script);
  done(`${asked.length} messages of clients`);
});
