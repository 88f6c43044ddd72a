import { spawnSync } from 'node:child_process';
import { existsSync, readlinkSync } from 'node:fs';
import type { RunEventOf } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { Objects } from '../src/run/c/objects';
import { callSource, programSource, stepSource } from '../src/run/c/source';
import { manPage } from '../src/run/man-page';
import { Stream } from './stream';

type Verb = RunEventOf<'verb'>;

/** Two sides, made by hand with two queue pairs at one of them, and every kind of work request. */
function run(): Verb[] {
  const s = new Stream();
  const verb = (endpoint: string, call: string, args: Verb['args'], result?: Verb['result']): Verb =>
    s.event({
      kind: 'verb',
      endpoint,
      call,
      args,
      durationNs: 1,
      ...(result === undefined ? {} : { result }),
    }) as Verb;
  const qp = (endpoint: string, qp_num: number, cq: string) =>
    verb(
      endpoint,
      'ibv_create_qp',
      {
        pd: 'PD 1',
        qp_init_attr: { qp_type: 'RC', send_cq: cq, recv_cq: cq, cap: { max_send_wr: 4 }, sq_sig_all: 0 },
      },
      { qp_num },
    );
  const send = (wr: Verb['args']) =>
    verb('client', 'ibv_post_send', {
      qp: 'QP 18',
      wr: { wr_id: 1, send_flags: [], sg_list: [{ addr: '0x1010', length: 8, lkey: '0x7' }], ...wr },
    });
  const remote = { remote_addr: '0x2000', rkey: '0x8' };
  return [
    ...['client', 'server'].flatMap((side) => [
      verb(side, 'ibv_get_device_list', {}, ['uroce0']),
      verb(side, 'ibv_open_device', { device: 'uroce0' }),
    ]),
    verb('client', 'ibv_alloc_pd', { context: 'uroce0' }),
    verb(
      'client',
      'ibv_reg_mr',
      { pd: 'PD 1', addr: '0x1000', length: 64, access: [] },
      { lkey: '0x7', rkey: '0x7' },
    ),
    verb('client', 'ibv_create_cq', { context: 'uroce0', cqe: 4, channel: null, comp_vector: 0 }, { cqe: 4 }),
    verb('client', 'ibv_create_cq', { context: 'uroce0', cqe: 8, channel: null, comp_vector: 0 }, { cqe: 8 }),
    qp('client', 17, 'CQ 3'),
    qp('client', 18, 'CQ 4'),
    verb('server', 'ibv_alloc_pd', { context: 'uroce0' }),
    verb(
      'server',
      'ibv_reg_mr',
      { pd: 'PD 1', addr: '0x2000', length: 64, access: ['REMOTE_WRITE'] },
      { lkey: '0x8', rkey: '0x8' },
    ),
    verb('client', 'ibv_post_recv', { qp: 'QP 17', wr: { wr_id: 5, sg_list: [] } }),
    send({ opcode: 'RDMA_WRITE', ...remote }),
    send({ opcode: 'SEND_WITH_IMM', imm_data: '0xabcd', send_flags: ['SIGNALED', 'SOLICITED'] }),
    send({ opcode: 'ATOMIC_FETCH_AND_ADD', add: '0x2', ...remote }),
    send({ opcode: 'ATOMIC_CMP_AND_SWP', compare: '0x1', swap: '0x2', ...remote }),
    send({
      opcode: 'SEND',
      sg_list: [0x1000, 0x1020].map((addr) => ({ addr: `0x${addr.toString(16)}`, length: 4, lkey: '0x7' })),
    }),
    verb('client', 'ibv_poll_cq', { cq: 'CQ 4', num_entries: 2 }, 2),
  ];
}
const all = (verbs: Verb[], c?: string) => ({ id: 'all', index: 0, title: 'All of it', verbs, c });

function compile(code: string): string {
  const args = ['-fsyntax-only', '-Wall', '-Wextra', '-Werror', '-x', 'c', '-'];
  const { status, stderr } = spawnSync('cc', args, { input: code, encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}
const able = compile('#include <infiniband/verbs.h>\n') === '';

describe('verbs calls as C', () => {
  const verbs = run();
  const objects = new Objects(verbs);
  const about = { lab: 'lab', title: 'A lab', of: 'run 7' };

  it.skipIf(!able)('compile without a warning, as a step and as a program', () => {
    expect(compile(stepSource(all(verbs), objects, 'run 7'))).toBe('');
    expect(compile(programSource([all(verbs)], objects, about))).toBe('');
  });

  it.skipIf(!able)('compile call by call, each declaring what it makes', () => {
    const calls = verbs.map((verb) => callSource(verb, objects)).join('\n');
    const headers = ['arpa/inet.h', 'infiniband/verbs.h', 'stdio.h', 'stdlib.h', 'string.h'];
    const include = headers.map((header) => `#include <${header}>\n`).join('');
    expect(compile(`${include}int calls(void)\n{\n${calls}\nreturn 0;\n}\n`)).toBe('');
  });

  it('show the values of the run, and name the object that each came from', () => {
    const code = callSource(
      verbs.find(({ call }) => call === 'ibv_post_send')!,
      objects,
    )!;
    expect(code).toMatch(/\.addr += 0x1010, \/\* \(uintptr_t\)client_buf \+ 16 \*\//);
    expect(code).toMatch(/\.rkey += 0x8, \/\* server_mr->rkey \*\//);
    expect(code).toContain('ibv_post_send(client_qp2, &wr, &bad_wr)');
  });

  it('take them from the objects in the program, with the values of the run beside them', () => {
    const code = programSource([all(verbs)], objects, about);
    expect(code).toMatch(/\.addr += \(uintptr_t\)client_buf \+ 16, \/\* 0x1010 in the run \*\//);
    expect(code).toMatch(/\.rkey += server_mr->rkey, \/\* 0x8 in the run \*\//);
    expect(code).toContain('static struct ibv_qp *client_qp2;');
  });

  it('tell the second object of a kind from the first', () => {
    const [, second] = verbs.filter(({ call }) => call === 'ibv_create_qp');
    expect(callSource(second!, objects)).toMatch(/\.send_cq += client_cq2,/);
    expect(callSource(verbs.at(-1)!, objects)).toContain('ibv_poll_cq(client_cq2, 2, wc)');
  });

  it('declare what an earlier step made as external', () => {
    const step = stepSource({ ...all(verbs.slice(12)), id: 'b-c' }, objects, 'run 7');
    expect(step).toContain('extern struct ibv_qp *client_qp2;');
    expect(step).toContain('int step_b_c(void)');
    expect(stepSource(all(verbs.slice(4, 5)), objects, 'run 7')).toMatch(/^struct ibv_pd \*client_pd;$/m);
  });

  it('carry what a step does beside its calls', () => {
    expect(stepSource(all(verbs.slice(4, 6), 'memset(client_buf, 1, 64);'), objects, 'run 7')).toMatch(
      /#include <string.h>[^]*\tmemset\(client_buf, 1, 64\);\n\n\treturn 0;\n\}\n$/,
    );
  });

  it('are not made up for a call that has none', () => {
    const unknown = { ...verbs[0]!, call: 'ibv_create_flow' };
    expect(callSource(unknown, objects)).toBeNull();
    expect(stepSource(all([unknown]), objects, 'run 7')).toContain(
      '/* No C for this call: ibv_create_flow */',
    );
  });
});

describe('manual pages', () => {
  const folder = '/usr/share/man/man3';
  const installed = existsSync(`${folder}/ibv_create_qp.3.gz`);

  it
    .skipIf(!installed)
    .each(
      [
        'get_device_list',
        'open_device',
        'query_device',
        'query_port',
        'query_gid',
        'alloc_pd',
        'reg_mr',
        'create_cq',
      ].concat(
        [
          'create_qp',
          'modify_qp',
          'query_qp',
          'post_send',
          'post_recv',
          'poll_cq',
          'destroy_qp',
          'destroy_cq',
        ],
        ['dereg_mr', 'dealloc_pd', 'close_device', 'create_comp_channel', 'destroy_comp_channel'],
      ),
    )('of ibv_%s is the one that rdma-core installs', (name) => {
    const { page, href } = manPage(`ibv_${name}`)!;
    const file = `${folder}/ibv_${name}.3.gz`;
    expect(existsSync(file)).toBe(true);
    expect(`${page}.3.gz`).toBe(page === `ibv_${name}` ? `ibv_${name}.3.gz` : readlinkSync(file));
    expect(href).toContain(`/${page}.3.html`);
  });

  it('are not claimed for calls of other libraries', () => {
    expect(manPage('connect')).toBeNull();
  });
});
