/** Runs the lines of the tables between the two devices, both ways. */
import { expect, it } from 'vitest';
import { addressOf, start, until, untilPrinted, type End } from './guest.js';
import type { Exchange, Stock } from './tables.js';

const PATIENCE = 60_000;

/** A server and a client on different machines and different devices. */
export interface Direction {
  name: string;
  server: () => End;
  client: () => End;
}

let lastPort = 20_000;
const nextPort = (): number => (lastPort += 1);

const listens = (port: number): string =>
  `grep -q ':${port.toString(16).toUpperCase().padStart(4, '0')} .* 0A ' /proc/net/tcp /proc/net/tcp6`;

export interface Pair {
  server: string;
  client: string;
  /** Sign that the server is ready for its client: a shell condition in its namespace, or its output. */
  ready: ((port: number) => string) | RegExp;
}

/** Runs server and client to their ends. Both must end with 0. Returns their output. */
export async function runPair(
  { server, client }: { server: End; client: End },
  pair: Pair,
): Promise<{ server: string; client: string }> {
  const port = nextPort();
  const words = (line: string): string[] =>
    line
      .replaceAll('{port}', String(port))
      .replaceAll('{at}', addressOf(server))
      .replaceAll('{from}', addressOf(client))
      .split(' ')
      .filter(Boolean);
  const waiting = start(server, words(pair.server), PATIENCE - 10_000);
  if (pair.ready instanceof RegExp) await untilPrinted(waiting, pair.ready);
  else await until(server, pair.ready(port), waiting);
  const calling = start(client, words(pair.client), PATIENCE - 10_000);
  // A server whose client was refused would wait for another one.
  void calling.finished.then(({ code }) => code !== 0 && waiting.kill(), waiting.kill);
  const outcomes = await Promise.allSettled([waiting.finished, calling.finished]);
  const texts = { server: waiting.output(), client: calling.output() };
  const codes = outcomes.map((one) => (one.status === 'fulfilled' ? one.value.code : String(one.reason)));
  expect(codes, `server:\n${texts.server}\nclient:\n${texts.client}`).toEqual([0, 0]);
  return texts;
}

/**
 * Statuses of a message too long for its receive. IBA 9.9.3: the receiver completes with local length error (1), the
 * sender with remote invalid request error (9). rxe_resp.c of Linux 6.1 takes the receive for a malformed one: local QP
 * operation error (2), and remote operation error (11) for the sender.
 */
const TOO_LONG = { uroce: '-e 1 -w 9', rxe: '-e 2 -w 11' };

/** Makes a test per line and direction. */
export function exchanges(lines: readonly Exchange[], direction: Direction): void {
  for (const { args, prints } of lines) {
    it(`${direction.name}: ${args}`, { timeout: PATIENCE }, async () => {
      const ends = { server: direction.server(), client: direction.client() };
      const line = `/tmp/interop -p {port} ${TOO_LONG[ends.server.device]} ${args}`;
      const { client } = await runPair(ends, { server: line, client: `${line} {at}`, ready: /^listening$/m });
      expect(client).toMatch(prints);
    });
  }
}

/**
 * Output of perftest after a failed measurement of its CPU's clock. A busy machine causes that, and all rates are 0
 * then.
 */
const NO_CLOCK = /^Correlation coefficient r\^2: .* < 0\.9$/m;
const CLOCK_TRIES = 5;

export function stockPrograms(lines: readonly Stock[], direction: Direction): void {
  for (const { server, client, prints } of lines) {
    it(`${direction.name}: ${server.replace(' -p {port}', '')}`, { timeout: 2 * PATIENCE }, async () => {
      const ends = { server: direction.server(), client: direction.client() };
      let printed = '';
      for (let tries = 0; tries === 0 || (tries < CLOCK_TRIES && NO_CLOCK.test(printed)); tries++) {
        printed = (await runPair(ends, { server, client, ready: listens })).client;
      }
      expect(printed).toMatch(prints);
    });
  }
}
