/** Objects of a lab's endpoints, from the recorded calls that create and destroy them. */
import type { QpState, RunEventOf } from '@verbslab/protocol';
import { Handles } from './handles';
import type { MachineObject } from './object';
import { field } from '../field';

type Verb = RunEventOf<'verb'>;

/** Kind of object that each call creates. */
const MADE_BY: Readonly<Record<string, string>> = {
  ibv_open_device: 'context',
  ibv_alloc_pd: 'PD',
  ibv_reg_mr: 'MR',
  ibv_create_cq: 'CQ',
  ibv_create_qp: 'QP',
  ibv_create_qp_ex: 'QP',
  rdma_create_qp: 'QP',
  ibv_create_srq: 'SRQ',
  ibv_create_ah: 'AH',
  ibv_alloc_mw: 'MW',
  ibv_create_comp_channel: 'completion channel',
  rdma_create_event_channel: 'event channel',
  rdma_create_id: 'ID',
};

/** Kind of object that each call destroys, and the argument that names it. */
const DESTROYED_BY: Readonly<Record<string, readonly [kind: string, argument: string]>> = {
  ibv_close_device: ['context', ''],
  ibv_dealloc_pd: ['PD', 'pd'],
  ibv_dereg_mr: ['MR', 'mr'],
  ibv_destroy_cq: ['CQ', 'cq'],
  ibv_destroy_qp: ['QP', 'qp'],
  rdma_destroy_qp: ['QP', 'qp'],
  ibv_destroy_srq: ['SRQ', 'srq'],
  ibv_destroy_ah: ['AH', 'ah'],
  ibv_dealloc_mw: ['MW', 'mw'],
  ibv_destroy_comp_channel: ['completion channel', ''],
  rdma_destroy_event_channel: ['event channel', ''],
  rdma_destroy_id: ['ID', 'id'],
};

/** Kinds that have a handle of the endpoint. */
const HANDLED = ['PD', 'MR', 'CQ', 'SRQ', 'AH', 'MW', 'ID'];
const HANDLE = /^(PD|MR|CQ|SRQ|AH|MW|ID) (\d+)$/;

export const qpnOf = (text: unknown): number | null => {
  const found = /^QP (\d+)$/.exec(String(text));
  return found ? Number(found[1]) : null;
};

/** Names in the connection manager's binding, with their names in ibv_qp_cap. */
const CM_CAPS = [
  ['maxSendWr', 'max_send_wr'],
  ['maxRecvWr', 'max_recv_wr'],
  ['maxSendSge', 'max_send_sge'],
  ['maxRecvSge', 'max_recv_sge'],
  ['maxInlineData', 'max_inline_data'],
] as const;

/** Attributes of an object that the page shows, including the capacities of its queues. */
function attributesOf(kind: string, { args, result }: Verb): Record<string, unknown> {
  switch (kind) {
    case 'MR':
      return { addr: args.addr, length: args.length, access: args.access, ...asObject(result) };
    case 'CQ':
      return { cqe: field(result, 'cqe') ?? args.cqe };
    case 'SRQ':
      return asObject(args.attr);
    case 'MW':
      return { type: args.type, ...asObject(result) };
    case 'AH':
      return asObject(args.attr);
    case 'QP': {
      const init = asObject(args.qp_init_attr);
      const caps = { ...asObject(init.cap) };
      for (const [name, cap] of CM_CAPS) if (init[name] !== undefined) caps[cap] = init[name];
      return { type: init.qp_type ?? 'RC', ...caps, sq_sig_all: init.sq_sig_all === 1 };
    }
    default:
      return { ...args };
  }
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...(value as Record<string, unknown>) }
    : {};

/** Folds calls, transitions and completions into objects. Live and saved runs have the same order. */
export class LabObjects {
  readonly all: MachineObject[] = [];
  readonly #byId = new Map<string, MachineObject>();
  readonly #handles = new Map<string, Handles>();
  /** Current QP of each endpoint and QPN. */
  readonly #qps = new Map<string, MachineObject>();

  byId(id: string | null): MachineObject | undefined {
    return id === null ? undefined : this.#byId.get(id);
  }

  qp(endpoint: string, qpn: number): MachineObject | undefined {
    return this.#qps.get(`${endpoint} ${qpn}`);
  }

  /** The object that a handle in the arguments of a call refers to. */
  named(endpoint: string, text: unknown): MachineObject | undefined {
    const qpn = qpnOf(text);
    if (qpn !== null) return this.qp(endpoint, qpn);
    const found = HANDLE.exec(String(text));
    if (!found) return undefined;
    const object = this.byId(this.#handlesOf(endpoint).find(found[1]!, Number(found[2])));
    // A region or window keeps its key, by which all calls and packets name it.
    if (object) object.number ??= Number(found[2]);
    return object;
  }

  /** Takes in a call that returned. Returns the object that the call destroyed. */
  verb(e: Verb): MachineObject | null {
    const endpoint = e.endpoint ?? '';
    this.#mentions(endpoint, e.args);
    if (e.error) return null;
    const makes = MADE_BY[e.call];
    if (makes !== undefined) this.#make(makes, e);
    const destroys = DESTROYED_BY[e.call];
    if (e.call === 'ibv_resize_cq') this.#resize(e);
    if (e.call === 'ibv_rereg_mr') this.#reregister(e);
    if (e.call === 'ibv_modify_srq') this.#modifySrq(e);
    if (e.call === 'ibv_query_qp') this.#observed(e);
    return destroys ? this.#destroy(destroys, e) : null;
  }

  transition({ endpoint = '', qpn, from, to, attrs, t }: RunEventOf<'qp'>): MachineObject | null {
    const qp = this.qp(endpoint, qpn);
    if (!qp) return null;
    if (from !== to || qp.states.at(-1)?.state !== to) qp.states.push({ state: to, t });
    qp.connection = { ...qp.connection, ...attrs };
    return qp;
  }

  /** Puts a QP in ERR: an RC QP after a failed completion, and any QP whose requests are flushed. */
  failed(endpoint: string, qpn: number, flushed: boolean, t: number): void {
    const qp = this.qp(endpoint, qpn);
    if (!qp || qp.states.length === 0 || qp.states.at(-1)!.state === 'ERR') return;
    if (flushed || qp.attrs.type === 'RC') qp.states.push({ state: 'ERR', t });
  }

  #handlesOf(endpoint: string): Handles {
    let handles = this.#handles.get(endpoint);
    if (!handles) this.#handles.set(endpoint, (handles = new Handles()));
    return handles;
  }

  /** Gives the objects in the arguments their numbers. */
  #mentions(endpoint: string, value: unknown): void {
    if (typeof value === 'string') this.named(endpoint, value);
    else if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) this.#mentions(endpoint, inner);
  }

  #make(kind: string, e: Verb): void {
    const endpoint = e.endpoint ?? '';
    const { args } = e;
    const init = asObject(args.qp_init_attr);
    const idOf = (name: unknown): string | null => this.named(endpoint, name)?.id ?? null;
    const context = this.all.findLast(
      (one) => one.kind === 'context' && one.endpoint === endpoint && one.goneAt === null,
    );
    const attrs = attributesOf(kind, e);
    const qpn = kind === 'QP' ? Number(field(e.result, 'qp_num')) : NaN;
    // Regions and windows are known by their key.
    const key = kind === 'MR' ? attrs.lkey : kind === 'MW' ? attrs.rkey : undefined;
    const sendCq = idOf(init.send_cq);
    const object: MachineObject = {
      id: `${endpoint} ${kind} #${e.seq}`,
      endpoint,
      kind,
      number: Number.isFinite(qpn) ? qpn : typeof key === 'string' ? Number(key) : null,
      parent: args.pd === undefined ? (kind === 'context' ? null : (context?.id ?? null)) : idOf(args.pd),
      sendCq,
      // The connection manager's call does not record the receive CQ.
      recvCq: e.call === 'rdma_create_qp' ? null : (idOf(init.recv_cq) ?? sendCq),
      srq: idOf(init.srq),
      call: e.call,
      attrs,
      connection: {},
      madeAt: e.t + e.durationNs,
      goneAt: null,
      states: [],
    };
    this.all.push(object);
    this.#byId.set(object.id, object);
    if (kind === 'QP') {
      this.#qps.set(`${endpoint} ${object.number}`, object);
      // A QP takes a handle too, but no call names it by handle.
      this.#handlesOf(endpoint).add('QP', object.id);
    } else if (HANDLED.includes(kind)) this.#handlesOf(endpoint).add(kind, object.id);
  }

  #destroy([kind, argument]: readonly [string, string], e: Verb): MachineObject | null {
    const endpoint = e.endpoint ?? '';
    const object =
      argument === ''
        ? this.all.findLast((one) => one.kind === kind && one.endpoint === endpoint && one.goneAt === null)
        : this.named(endpoint, e.args[argument]);
    if (!object) return null;
    object.goneAt = e.t;
    if (kind === 'QP') this.#qps.delete(`${endpoint} ${object.number}`);
    return object;
  }

  #resize(e: Verb): void {
    const cq = this.named(e.endpoint ?? '', e.args.cq);
    if (cq) cq.attrs = { ...cq.attrs, cqe: field(e.result, 'cqe') ?? e.args.cqe };
  }

  #reregister(e: Verb): void {
    const mr = this.named(e.endpoint ?? '', e.args.mr);
    if (!mr) return;
    const { length, access } = e.args;
    mr.attrs = {
      ...mr.attrs,
      ...(length === undefined ? {} : { length }),
      ...(access === undefined ? {} : { access }),
      ...asObject(e.result),
    };
    if (typeof mr.attrs.lkey === 'string') mr.number = Number(mr.attrs.lkey);
  }

  #modifySrq(e: Verb): void {
    const srq = this.named(e.endpoint ?? '', e.args.srq);
    if (srq) srq.attrs = { ...srq.attrs, ...asObject(e.args.attr) };
  }

  #observed(e: Verb): void {
    const qp = this.named(e.endpoint ?? '', e.args.qp);
    const state = field(e.result, 'qp_state');
    if (qp && typeof state === 'string' && qp.states.at(-1)?.state !== state)
      qp.states.push({ state: state as QpState, t: e.t });
  }
}
