#!/usr/bin/env node
/**
 * Size of the JavaScript that a page of the export loads first, gzip, per page, and style attributes in its HTML
 * (the content security policy allows none). Exit code 1 when the home page is over its budget.
 *
 *   node apps/web/scripts/first-load.mjs [--json]
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const BUDGET = 250_000;
const out = path.join(import.meta.dirname, '../out');
const pages = [
  'index.html',
  'labs.html',
  'labs/bulk.html',
  'runs.html',
  'runs/view.html',
  'packets.html',
  'hosts.html',
];
const report = pages.map((page) => {
  const html = readFileSync(path.join(out, page), 'utf8');
  const scripts = [...html.matchAll(/<script\b([^>]*)>/g)]
    // Old browsers only: those that know modules skip it.
    .filter(([, attributes]) => !/\bnomodule\b/i.test(attributes))
    .flatMap(([, attributes]) => /\bsrc="([^"]+)"/.exec(attributes)?.[1] ?? []);
  const gzip = [...new Set(scripts)].reduce(
    (sum, src) => sum + gzipSync(readFileSync(path.join(out, src.split('?')[0])), { level: 9 }).length,
    0,
  );
  return {
    page,
    scripts: scripts.length,
    gzip,
    styleAttributes: [...html.matchAll(/<[^>]+\sstyle="[^"]*"/g)].length,
  };
});
if (process.argv.includes('--json')) console.log(JSON.stringify(report));
else console.table(report);
const home = report[0];
if (home.gzip > BUDGET) {
  console.error(`The home page loads ${home.gzip} bytes of JavaScript; its budget is ${BUDGET}.`);
  process.exit(1);
}
