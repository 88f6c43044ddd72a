import { readFileSync } from 'node:fs';
import { stagesOf } from './src/model/picture/stages-of';
for (const f of process.argv.slice(2)) {
  const r = JSON.parse(readFileSync(`src/model/picture/samples/${f}.json`, 'utf8'));
  console.log('=====', f, r.title, JSON.stringify(r).length, 'bytes', r.withoutStamps, r.withoutPackets);
  if (process.env.EV) for (const e of r.events) console.log(JSON.stringify(e));
  for (const s of stagesOf(r)) console.log(`[${s.name}] ${s.from}..${s.to} cut ${s.cut}\n    ${s.caption} ${s.asks ? 'ASKS ' + s.asks : ''}`);
}
