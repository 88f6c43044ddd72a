/** Verbs calls in C, each with its error check, in the style of libibverbs' examples. */
import type { Objects, Verb } from './objects';

/** `live`: values from the device are read from the objects, and not written as the numbers of the run. */
interface Writing {
  objects: Objects;
  live: boolean;
}
type Emit = (verb: Verb, writing: Writing) => string[];
type Json = Readonly<Record<string, unknown>>;
/** A member of a struct: its value and a comment on it, or its own members. */
type Member = [name: string, value: string | Member[], comment?: string | undefined];

export const indent = (lines: readonly string[]): string[] => lines.map((line) => (line ? `\t${line}` : ''));

/** `message`: a printf format, with its arguments in `values`. */
const failing = (condition: string, message: string, ...values: string[]): string[] => [
  `if (${condition}) {`,
  `\tfprintf(stderr, ${[text(`${message}\n`), ...values].join(', ')});`,
  '\treturn 1;',
  '}',
];
const block = (declarations: string[], statements: string[]): string[] => [
  '{',
  ...indent([...declarations, '', ...statements]),
  '}',
];

function struct(head: string, members: readonly Member[], tail: string): string[] {
  return [`${head}{`, ...indent(listed(members)), `}${tail}`];
}

function listed(members: readonly Member[]): string[] {
  const width = Math.max(...members.map(([name, value]) => (typeof value === 'string' ? name.length : 0)));
  return members.flatMap(([name, value, comment]) =>
    typeof value === 'string'
      ? [`.${name.padEnd(width)} = ${value},${comment ? ` /* ${comment} */` : ''}`]
      : struct(`.${name} = `, value, ','),
  );
}

const text = (value: unknown): string => JSON.stringify(typeof value === 'string' ? value : '');
const number = (value: unknown): string => (typeof value === 'string' ? value : String(Number(value ?? 0)));
const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const flags = (prefix: string, value: unknown): string =>
  Array.isArray(value) && value.length > 0
    ? value.map((flag) => `${prefix}${String(flag)}`).join(' | ')
    : '0';

/** The value of the run or its source, with the other one as a comment. */
const either = ({ live }: Writing, shown: string, from: string | undefined): [string, string?] =>
  from === undefined ? [shown] : live ? [from, `${shown} in the run`] : [shown, from];

/** Statements that create an object by a call that returns NULL on failure. */
const making = (name: string, call: string, message: string): string[] => [
  `${name} = ${call};`,
  ...failing(`!${name}`, message),
];

function addressHandle(shown: unknown): Member[] {
  const { is_global, port_num, ...grh } = object(shown);
  return [
    ['is_global', number(is_global)],
    ['port_num', number(port_num)],
    ['grh', ['sgid_index', 'hop_limit'].map((name): Member => [name, number(grh[name])])],
  ];
}

const modify: Emit = (verb, writing) => {
  const { objects, live } = writing;
  const attr = object(verb.args.attr);
  const members = Object.entries(attr).map(([name, value]): Member => {
    switch (name) {
      case 'qp_state':
        return [name, `IBV_QPS_${String(value)}`];
      case 'qp_access_flags':
        return [name, flags('IBV_ACCESS_', value)];
      case 'path_mtu':
        return [name, `IBV_MTU_${String(value)}`];
      case 'ah_attr':
        return [name, addressHandle(value)];
      case 'dest_qp_num':
        return [name, ...either(writing, number(value), objects.peerQpn(verb, value))];
      default:
        return [name, number(value)];
    }
  });
  const qp = objects.of(verb, verb.args.qp);
  const { attr_mask: mask } = verb.args;
  const names = (typeof mask === 'string' ? mask : '').replace(/ \(.*$/, '').split(' | ');
  const { dgid } = object(attr.ah_attr);
  const peer = objects.peerGid(verb, dgid);
  const address =
    dgid === undefined
      ? []
      : live && peer
        ? [`attr.ah_attr.grh.dgid = ${peer}; /* ${text(dgid)} in the run */`]
        : [`inet_pton(AF_INET6, ${text(dgid)}, &attr.ah_attr.grh.dgid);${peer ? ` /* ${peer} */` : ''}`];
  return block(struct('struct ibv_qp_attr attr = ', members, ';'), [
    ...address,
    `if (ibv_modify_qp(${qp}, &attr,`,
    ...names.map((name, i) => `\t\t  ${name}${i < names.length - 1 ? ' |' : ')) {'}`),
    ...failing('', `Failed to modify QP to ${String(attr.qp_state)}`).slice(1),
  ]);
};

function gatherList(verb: Verb, writing: Writing, list: unknown): string[] {
  const entries = (Array.isArray(list) ? list : []).map((entry): Member[] => {
    const { addr, length, lkey } = object(entry);
    return [
      ['addr', ...either(writing, number(addr), writing.objects.address(verb, 'own', addr))],
      ['length', number(length)],
      ['lkey', ...either(writing, number(lkey), writing.objects.key(verb, 'lkey', lkey))],
    ];
  });
  if (entries.length === 0) return [];
  if (entries.length === 1) return struct('struct ibv_sge list = ', entries[0]!, ';');
  return ['struct ibv_sge list[] = {', ...indent(entries.flatMap((e) => struct('', e, ','))), '};'];
}

function gathered(list: unknown): Member[] {
  const n = Array.isArray(list) ? list.length : 0;
  return n === 0
    ? []
    : [
        ['sg_list', n === 1 ? '&list' : 'list'],
        ['num_sge', String(n)],
      ];
}

function remoteOf(verb: Verb, writing: Writing, wr: Json): Member[] {
  if (wr.remote_addr === undefined) return [];
  const { objects } = writing;
  const remote: Member[] = [
    [
      'remote_addr',
      ...either(writing, number(wr.remote_addr), objects.address(verb, 'peer', wr.remote_addr)),
    ],
    ['rkey', ...either(writing, number(wr.rkey), objects.key(verb, 'rkey', wr.rkey))],
  ];
  const adds = wr.add !== undefined;
  if (!adds && wr.compare === undefined) return [['wr.rdma', remote]];
  const operands: Member[] = adds
    ? [['compare_add', number(wr.add)]]
    : [
        ['compare_add', number(wr.compare)],
        ['swap', number(wr.swap)],
      ];
  return [['wr.atomic', [...remote, ...operands]]];
}

const postSend: Emit = (verb, writing) => {
  const wr = object(verb.args.wr);
  const opcode = String(wr.opcode);
  return block(
    [
      ...gatherList(verb, writing, wr.sg_list),
      ...struct(
        'struct ibv_send_wr wr = ',
        [
          ['wr_id', number(wr.wr_id)],
          ...gathered(wr.sg_list),
          ['opcode', `IBV_WR_${opcode}`],
          ['send_flags', flags('IBV_SEND_', wr.send_flags)],
          ...(wr.imm_data === undefined ? [] : [['imm_data', `htonl(${number(wr.imm_data)})`] as Member]),
          ...remoteOf(verb, writing, wr),
        ],
        ';',
      ),
      'struct ibv_send_wr *bad_wr;',
    ],
    failing(
      `ibv_post_send(${writing.objects.of(verb, verb.args.qp)}, &wr, &bad_wr)`,
      `Couldn't post send: ${opcode}`,
    ),
  );
};

const postRecv: Emit = (verb, writing) => {
  const wr = object(verb.args.wr);
  return block(
    [
      ...gatherList(verb, writing, wr.sg_list),
      ...struct('struct ibv_recv_wr wr = ', [['wr_id', number(wr.wr_id)], ...gathered(wr.sg_list)], ';'),
      'struct ibv_recv_wr *bad_wr;',
    ],
    failing(
      `ibv_post_recv(${writing.objects.of(verb, verb.args.qp)}, &wr, &bad_wr)`,
      "Couldn't post receive",
    ),
  );
};

/** A poll with a result is repeated until it has one: the number of polls before depends on the machine. */
const poll: Emit = (verb, { objects }) => {
  const entries = number(verb.args.num_entries);
  const call = `ibv_poll_cq(${objects.of(verb, verb.args.cq)}, ${entries}, wc)`;
  const found = Number(verb.result ?? 0) > 0;
  return block(
    [`struct ibv_wc wc[${entries}];`, 'int ne;'],
    [
      ...(found ? ['do {', `\tne = ${call};`, '} while (ne == 0);'] : [`ne = ${call}; /* 0 in the run */`]),
      ...failing('ne < 0', 'poll CQ failed %d', 'ne'),
      'for (int i = 0; i < ne; ++i) {',
      '\tif (wc[i].status != IBV_WC_SUCCESS) {',
      '\t\tfprintf(stderr, "Failed status %s (%d) for wr_id %d\\n",',
      '\t\t\tibv_wc_status_str(wc[i].status), wc[i].status, (int)wc[i].wr_id);',
      '\t\treturn 1;',
      '\t}',
      '}',
    ],
  );
};

const createQp: Emit = (verb, { objects }) => {
  const attr = object(verb.args.qp_init_attr);
  const name = objects.made(verb, 'qp');
  const members: Member[] = [
    ['send_cq', objects.of(verb, attr.send_cq)],
    ['recv_cq', objects.of(verb, attr.recv_cq)],
    ['cap', Object.entries(object(attr.cap)).map(([limit, value]): Member => [limit, number(value)])],
    ['qp_type', `IBV_QPT_${String(attr.qp_type)}`],
    ['sq_sig_all', number(attr.sq_sig_all)],
  ];
  return block(
    struct('struct ibv_qp_init_attr attr = ', members, ';'),
    making(name, `ibv_create_qp(${objects.of(verb, verb.args.pd)}, &attr)`, "Couldn't create QP"),
  );
};

const QUERIED: Readonly<Record<string, string>> = {
  qp_state: 'IBV_QP_STATE',
  dest_qp_num: 'IBV_QP_DEST_QPN',
  sq_psn: 'IBV_QP_SQ_PSN',
  rq_psn: 'IBV_QP_RQ_PSN',
};

const queryQp: Emit = (verb, { objects }) => {
  const mask = Object.keys(object(verb.result)).flatMap((name) => QUERIED[name] ?? []);
  return block(
    ['struct ibv_qp_attr attr;', 'struct ibv_qp_init_attr init_attr;'],
    [
      `if (ibv_query_qp(${objects.of(verb, verb.args.qp)}, &attr,`,
      `\t\t ${mask.join(' | ') || 'IBV_QP_STATE'},`,
      '\t\t &init_attr)) {',
      ...failing('', 'Failed to query QP state').slice(1),
    ],
  );
};

const openDevice: Emit = (verb, { objects }) => {
  const name = objects.made(verb, 'context');
  const list = objects.own(verb, 'dev_list');
  const device = text(verb.args.device);
  return block(
    [`struct ibv_device **dev = ${list};`],
    [
      `while (*dev && strcmp(ibv_get_device_name(*dev), ${device}))`,
      '\t++dev;',
      ...failing('!*dev', 'IB device %s not found', device),
      ...making(name, 'ibv_open_device(*dev)', "Couldn't get context"),
      `ibv_free_device_list(${list});`,
    ],
  );
};

const registerMemory: Emit = (verb, { objects }) => {
  const { pd, length, access } = verb.args;
  const buf = objects.made(verb, 'buf');
  return [
    ...making(buf, `calloc(1, ${number(length)})`, "Couldn't allocate work buf"),
    ...making(
      objects.made(verb, 'mr'),
      `ibv_reg_mr(${objects.of(verb, pd)}, ${buf}, ${number(length)},\n\t${flags('IBV_ACCESS_', access)})`,
      "Couldn't register MR",
    ),
  ].flatMap((line) => line.split('\n'));
};

const EMITTERS: Readonly<Record<string, Emit>> = {
  ibv_get_device_list: (verb, { objects }) =>
    making(objects.made(verb, 'dev_list'), 'ibv_get_device_list(NULL)', 'Failed to get IB devices list'),
  ibv_open_device: openDevice,
  ibv_query_device: (verb, { objects }) =>
    block(
      ['struct ibv_device_attr attr;'],
      failing(`ibv_query_device(${objects.own(verb, 'context')}, &attr)`, "Couldn't get device attributes"),
    ),
  ibv_query_port: (verb, { objects }) =>
    block(
      ['struct ibv_port_attr attr;'],
      failing(
        `ibv_query_port(${objects.own(verb, 'context')}, ${number(verb.args.port_num)}, &attr)`,
        "Couldn't get port info",
      ),
    ),
  ibv_query_gid: (verb, { objects }) => {
    const { port_num, index } = verb.args;
    const call = `ibv_query_gid(${objects.own(verb, 'context')}, ${number(port_num)}, ${number(index)}, &${objects.made(verb, 'gid')})`;
    return failing(call, `Couldn't read sgid of index ${number(index)}`);
  },
  ibv_alloc_pd: (verb, { objects }) =>
    making(objects.made(verb, 'pd'), `ibv_alloc_pd(${objects.own(verb, 'context')})`, "Couldn't allocate PD"),
  ibv_reg_mr: registerMemory,
  ibv_create_cq: (verb, { objects }) =>
    making(
      objects.made(verb, 'cq'),
      `ibv_create_cq(${objects.own(verb, 'context')}, ${number(verb.args.cqe)}, NULL, NULL, ${number(verb.args.comp_vector)})`,
      "Couldn't create CQ",
    ),
  ibv_create_qp: createQp,
  ibv_modify_qp: modify,
  ibv_query_qp: queryQp,
  ibv_post_send: postSend,
  ibv_post_recv: postRecv,
  ibv_poll_cq: poll,
  ibv_destroy_qp: (verb, { objects }) =>
    failing(`ibv_destroy_qp(${objects.of(verb, verb.args.qp)})`, "Couldn't destroy QP"),
  ibv_destroy_cq: (verb, { objects }) =>
    failing(`ibv_destroy_cq(${objects.of(verb, verb.args.cq)})`, "Couldn't destroy CQ"),
  ibv_dereg_mr: (verb, { objects }) => {
    const mr = objects.of(verb, verb.args.mr);
    return [...failing(`ibv_dereg_mr(${mr})`, "Couldn't deregister MR"), `free(${objects.bufferOf(mr)});`];
  },
  ibv_dealloc_pd: (verb, { objects }) =>
    failing(`ibv_dealloc_pd(${objects.of(verb, verb.args.pd)})`, "Couldn't deallocate PD"),
  ibv_close_device: (verb, { objects }) =>
    failing(`ibv_close_device(${objects.own(verb, 'context')})`, "Couldn't release context"),
};

/** A call with its error check: statements of a function that returns an int. Null for a call without C code here. */
export function statements(verb: Verb, objects: Objects, live: boolean): string[] | null {
  // With a channel, the call needs an object that is not kept here.
  if (verb.call === 'ibv_create_cq' && verb.args.channel) return null;
  return EMITTERS[verb.call]?.(verb, { objects, live }) ?? null;
}
