import {
  decodeHeader,
  decodeSeries,
  FRAME_FLAGS,
  isEmpty,
  LINKS,
  LOCAL_HOST,
  noResults,
  ProblemTally,
  RoundSums,
  takeResult,
  SIMULATOR,
  TRANSPORTS,
  type Check,
  type RunEvent,
  type RunEventOf,
  type RunRecord,
  type RunResult,
} from '@verbslab/protocol';
import { placeName } from './place.js';
import { StreamLatencies } from './stream-latencies.js';
import type { StreamReader } from '../store/stream-reader.js';

type Source = RunEventOf<'source'>;

/** Results of the recorded stream of a run, read if the lab's procedure did not finish. */
export class SoFar {
  readonly #sources = new Map<number, Source>();
  readonly #sums = new Map<string, RoundSums>();
  readonly #latencies = new StreamLatencies();
  readonly #endpoints: RunEventOf<'endpoint'>[] = [];
  readonly #links: RunEventOf<'link'>[] = [];
  readonly #checks: Check[] = [];
  readonly #problems = new ProblemTally();
  readonly #results = noResults();

  constructor(reader: StreamReader) {
    for (let item = reader.next(); item; item = reader.next()) {
      if (item.frame) this.#frame(item.frame);
      else this.#event(JSON.parse(item.json!) as RunEvent);
    }
  }

  #event(event: RunEvent): void {
    this.#problems.take(event);
    takeResult(this.#results, event);
    if (event.kind === 'source') {
      this.#sources.set(event.source, event);
      this.#latencies.source(event);
    }
    if (event.kind === 'endpoint') this.#endpoints.push(event);
    if (event.kind === 'link') this.#links.push(event);
    if (event.kind === 'check') {
      const { id, ok, applies, detail } = event;
      this.#checks.push({ id, ok, ...(applies === undefined ? {} : { applies }), detail });
    }
  }

  #frame(frame: Uint8Array): void {
    const header = decodeHeader(frame);
    const { kind, source: id, flags } = header;
    this.#latencies.frame(header, frame);
    const source = this.#sources.get(id);
    if (source?.what !== 'loop' || flags & FRAME_FLAGS.omitted) return;
    if (kind === 'series') {
      const sums = this.#sums.get(source.transport) ?? new RoundSums();
      this.#sums.set(source.transport, sums);
      for (const sample of decodeSeries(frame)) sums.add(source, sample);
    }
  }

  /** Figures of the transports whose samples were recorded, each marked as partial. */
  get transports(): RunResult['transports'] {
    const found: RunResult['transports'] = {};
    for (const transport of TRANSPORTS) {
      const result = this.#sums.get(transport)?.result(this.#latencies.loops(transport));
      const link = this.#links.find((one) => one.transport === transport)?.link;
      if (result) found[transport] = { ...(link ? { link } : {}), ...result, partial: true };
    }
    return found;
  }

  /** The result of a run whose agent died first. `devices`: the names in the history, that of the first role first. */
  result(record: RunRecord, devices: string | null): RunResult {
    const endpoints = this.#endpoints.map(({ role, host = LOCAL_HOST, device, providerClass }) => ({
      role,
      host,
      device,
      providerClass,
    }));
    const links = LINKS.filter((link) => this.#links.some((one) => one.link === link));
    const first = devices?.split(', ')[0];
    const leading = endpoints.find(({ host, device }) => placeName(host, device) === first) ?? endpoints[0];
    return {
      lab: record.lab,
      state: record.state,
      provider: leading?.providerClass ?? (first === SIMULATOR ? 'simulated' : null),
      device: leading?.device ?? (first === SIMULATOR ? SIMULATOR : null),
      ...(links.length > 0 ? { links } : {}),
      ...(endpoints.length > 0 ? { endpoints } : {}),
      parameters: record.parameters,
      transports: this.transports,
      checks: this.#checks,
      ...(isEmpty(this.#results) ? {} : { results: this.#results }),
      problems: this.#problems.count,
      captureFile: null,
      ...(record.error ? { error: record.error } : {}),
    };
  }
}
