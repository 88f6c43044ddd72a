/** Objects of a run as C variables: the calls that create them, and their values in the run. */
import type { RunEventOf } from '@verbslab/protocol';
import { field } from '../../model/field';

export type Verb = RunEventOf<'verb'>;

const TYPES = {
  dev_list: 'struct ibv_device **',
  context: 'struct ibv_context *',
  gid: 'union ibv_gid ',
  pd: 'struct ibv_pd *',
  buf: 'char *',
  mr: 'struct ibv_mr *',
  cq: 'struct ibv_cq *',
  qp: 'struct ibv_qp *',
} as const;
type Kind = keyof typeof TYPES;

const MADE_BY: Readonly<Record<string, readonly Kind[]>> = {
  ibv_get_device_list: ['dev_list'],
  ibv_open_device: ['context'],
  ibv_query_gid: ['gid'],
  ibv_alloc_pd: ['pd'],
  ibv_reg_mr: ['buf', 'mr'],
  ibv_create_cq: ['cq'],
  ibv_create_qp: ['qp'],
};

interface Region {
  side: string;
  n: number;
  addr: bigint;
  length: bigint;
  lkey: unknown;
  rkey: unknown;
}

/** Names such as `client_qp`; the second object of a side and kind is `client_qp2`. */
export class Objects {
  readonly #types = new Map<string, string>();
  readonly #made = new Map<number, Partial<Record<Kind, string>>>();
  readonly #handles = new Map<string, number[]>();
  readonly #qps = new Map<string, string>();
  readonly #gids: { side: string; gid: unknown; name: string }[] = [];
  readonly #regions: Region[] = [];

  /** Takes all calls of the run, in order. */
  constructor(verbs: readonly Verb[]) {
    const counts = new Map<string, number>();
    for (const verb of verbs) {
      const side = sideOf(verb);
      const kinds = MADE_BY[verb.call] ?? [];
      const n = (counts.get(`${side} ${verb.call}`) ?? 0) + 1;
      const made = Object.fromEntries(kinds.map((kind) => [kind, variable(side, kind, n)]));
      this.#made.set(verb.seq, made);
      for (const kind of kinds) this.#types.set(variable(side, kind, n), TYPES[kind]);
      for (const handle of JSON.stringify(verb.args).match(/\b(PD|MR|CQ) \d+/g) ?? [])
        this.#see(side, handle);
      if (verb.error || kinds.length === 0) continue;
      counts.set(`${side} ${verb.call}`, n);
      this.#values(verb, side, n);
    }
  }

  #see(side: string, handle: string): void {
    const [kind, number] = handle.split(' ');
    const key = `${side} ${kind!.toLowerCase()}`;
    const known = this.#handles.get(key) ?? [];
    if (!known.includes(Number(number)))
      this.#handles.set(
        key,
        [...known, Number(number)].sort((a, b) => a - b),
      );
  }

  #values({ call, args, result }: Verb, side: string, n: number): void {
    if (call === 'ibv_create_qp')
      this.#qps.set(`${side} ${String(field(result, 'qp_num'))}`, variable(side, 'qp', n));
    if (call === 'ibv_query_gid')
      this.#gids.push({ side, gid: field(result, 'gid'), name: variable(side, 'gid', n) });
    if (call === 'ibv_reg_mr' && typeof args.addr === 'string')
      this.#regions.push({
        side,
        n,
        addr: BigInt(args.addr),
        length: BigInt(Number(args.length)),
        lkey: field(result, 'lkey'),
        rkey: field(result, 'rkey'),
      });
  }

  /** The variable of this kind that a call creates. */
  made(verb: Verb, kind: Kind): string {
    return this.#made.get(verb.seq)?.[kind] ?? variable(sideOf(verb), kind, 1);
  }

  /** All variables that a call creates. */
  allMade(verb: Verb): string[] {
    return Object.values(this.#made.get(verb.seq) ?? {});
  }

  /** The only variable of its kind at a side: its context, its list of devices. */
  own(verb: Verb, kind: 'context' | 'dev_list'): string {
    return variable(sideOf(verb), kind, 1);
  }

  /** The variable for a handle such as `PD 1` or `QP 5611`. Handles of a kind are numbered in the order of creation. */
  of(verb: Verb, handle: unknown): string {
    const side = sideOf(verb);
    const [kind = '', number = ''] = String(handle).toLowerCase().split(' ');
    if (kind === 'qp') return this.#qps.get(`${side} ${number}`) ?? variable(side, 'qp', 1);
    const rank = this.#handles.get(`${side} ${kind}`)?.indexOf(Number(number)) ?? 0;
    return variable(side, kind as Kind, rank + 1);
  }

  /** The buffer of a memory region. */
  bufferOf(mr: string): string {
    return mr.replace(/_mr(\d*)$/, '_buf$1');
  }

  /** Expression for this QPN of the other side. */
  peerQpn(verb: Verb, qpn: unknown): string | undefined {
    const found = [...this.#qps].find(
      ([key]) => key.endsWith(` ${String(qpn)}`) && !key.startsWith(`${sideOf(verb)} `),
    );
    return found && `${found[1]}->qp_num`;
  }

  /** Variable of the other side with this GID. */
  peerGid(verb: Verb, gid: unknown): string | undefined {
    return this.#gids.find((g) => g.gid === gid && g.side !== sideOf(verb))?.name;
  }

  /** Expression for an address inside registered memory of either side. */
  address(verb: Verb, where: 'own' | 'peer', address: unknown): string | undefined {
    if (typeof address !== 'string') return undefined;
    const at = BigInt(address);
    const region = this.#regions.find(
      (r) =>
        (r.side === sideOf(verb)) === (where === 'own') &&
        at >= r.addr &&
        (at < r.addr + r.length || at === r.addr),
    );
    if (!region) return undefined;
    const offset = at - region.addr;
    return `(uintptr_t)${variable(region.side, 'buf', region.n)}${offset === 0n ? '' : ` + ${offset}`}`;
  }

  key(verb: Verb, which: 'lkey' | 'rkey', key: unknown): string | undefined {
    const own = which === 'lkey';
    const region = this.#regions.find((r) => (r.side === sideOf(verb)) === own && r[which] === key);
    return region && `${variable(region.side, 'mr', region.n)}->${which}`;
  }

  /** Declarations of the variables in a piece of C, in the order of creation. */
  declarations(code: string): { name: string; text: string }[] {
    const named = new Set(code.match(/\b\w+\b/g));
    return [...this.#types]
      .filter(([name]) => named.has(name))
      .map(([name, type]) => ({ name, text: `${type}${name};` }));
  }
}

const sideOf = ({ endpoint }: Verb): string => (endpoint ?? 'own').replace(/\W/g, '_');
const variable = (side: string, kind: Kind, n: number): string => `${side}_${kind}${n === 1 ? '' : n}`;
