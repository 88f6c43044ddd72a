// Rules by which calls of verbs and rdma_cm fail: their words, and the same as the device reads them (UROCE_CALL_FAULTS).
import { FaultsWordError } from './faults-words.js';

/** Calls that a rule can name (native/uroce/verbs/device/call_faults.cc). A call stands for its extended forms, too. */
export const FAULT_CALLS = [
  ...['ibv_open_device', 'ibv_alloc_pd', 'ibv_reg_mr', 'ibv_create_comp_channel', 'ibv_create_cq'],
  ...['ibv_create_qp', 'ibv_create_srq', 'ibv_create_ah', 'ibv_alloc_mw', 'ibv_modify_qp'],
  ...['ibv_post_send', 'ibv_post_recv', 'ibv_post_srq_recv', 'ibv_req_notify_cq', 'ibv_resize_cq'],
  ...['rdma_create_id', 'rdma_bind_addr', 'rdma_resolve_addr', 'rdma_resolve_route', 'rdma_create_qp'],
  ...['rdma_listen', 'rdma_connect', 'rdma_accept'],
] as const;

/** Error numbers that a rule can name. */
export const FAULT_ERRORS = [
  ...['EACCES', 'EADDRINUSE', 'EADDRNOTAVAIL', 'EAGAIN', 'EBUSY', 'ECONNREFUSED', 'EFAULT', 'EHOSTUNREACH'],
  ...['EINVAL', 'EIO', 'EMFILE', 'ENETUNREACH', 'ENODEV', 'ENOMEM', 'ENOSPC', 'EOPNOTSUPP', 'EPERM'],
  'ETIMEDOUT',
] as const;

export const CALL_RULE_WORDS =
  'fail:call=ibv_reg_mr,errno=ENOMEM,nth=2 (also times=1, probability=5%, over=1MiB, seed=7)';

const ACTION = 'fail:';
const SIZES: Readonly<Record<string, number>> = { '': 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** True for a rule about calls; others are about packets. */
export const isCallRule = (words: string): boolean => words.trimStart().startsWith(ACTION);

function setting(word: string, name: string, value: string): string {
  const refuse = (expected: string): never => {
    throw new FaultsWordError(word, expected);
  };
  const positive = (): string => (/^[1-9]\d{0,17}$/.test(value) ? value : refuse('a whole number from 1'));
  switch (name) {
    case 'call':
      return FAULT_CALLS.some((call) => call === value) ? value : refuse(`one of ${FAULT_CALLS.join(', ')}`);
    case 'errno':
      return FAULT_ERRORS.some((error) => error === value)
        ? value
        : refuse(`one of ${FAULT_ERRORS.join(', ')}`);
    case 'nth':
    case 'times':
      return positive();
    case 'seed':
      return /^\d{1,18}$/.test(value) ? value : refuse('a whole number');
    case 'probability': {
      const part = Number(/^(\d+(?:\.\d+)?)%$/.exec(value)?.[1] ?? NaN) / 100;
      return part > 0 && part <= 1 ? String(part) : refuse('a part of the calls above 0% and up to 100%');
    }
    case 'over': {
      const [, number = '', unit = ''] =
        /^(\d+)(KiB|MiB|GiB|)$/.exec(value) ?? refuse('a size such as over=1MiB');
      return String(Number(number) * SIZES[unit]!);
    }
    default:
      return refuse(CALL_RULE_WORDS);
  }
}

/**
 * A rule as the device reads it, with this seed if it draws at random and names none.
 *
 * @throws FaultsWordError for words that are none, and for a rule that can never fail a call
 */
export function callRule(words: string, seed?: number): string {
  const settings = new Map<string, string>();
  for (const word of words.trim().slice(ACTION.length).split(',')) {
    const [name = '', value = ''] = word.trim().split('=', 2);
    if (settings.has(name)) throw new FaultsWordError(word, `${name} once`);
    settings.set(name, setting(word.trim(), name, value));
  }
  const call = settings.get('call');
  if (call === undefined) throw new FaultsWordError(words, CALL_RULE_WORDS);
  if (settings.has('over') && call !== 'ibv_reg_mr')
    throw new FaultsWordError(words, 'over for ibv_reg_mr only: no other call asks for bytes');
  if (settings.has('probability') && !settings.has('seed') && seed !== undefined)
    settings.set('seed', String(seed));
  return ACTION + [...settings].map(([name, value]) => `${name}=${value}`).join(',');
}
