import type { Flow } from './flow.js';
import type { Flows } from './flows.js';

/** Number of answers that decide for the flow with the most matches. */
const DECIDED = 16;
/** Limit of flows between two hosts that are tried for one answer. */
const TRIED = 1024;

export function pair(a: Flow, b: Flow, matched: Flow['matched']): void {
  if (a.peer || b.peer || a === b) return;
  a.peer = b;
  b.peer = a;
  a.matched = b.matched = matched;
  a.votes = b.votes = null;
  countEarly(a, b);
  countEarly(b, a);
}

/** Counts the NAKs from before the match too: they are answers of this flow, whichever packet they asked for. */
function countEarly({ earlyAsks }: Flow, { requester }: Flow): void {
  for (const ask of earlyAsks) requester.askedBefore(ask);
  earlyAsks.length = 0;
}

/** Pairs flows by a connection request and its reply, even if the QPN has been used before. */
export function pairByCm(a: Flow, b: Flow, mtu: number): void {
  for (const flow of [a, b]) {
    if (flow.peer && flow.peer !== a && flow.peer !== b) flow.peer.peer = flow.peer = null;
    flow.agreedMtu = mtu;
  }
  pair(a, b, 'cm');
}

/**
 * Marks flows as contested: a new requester has PSNs close to those of another one. If it sent before the capture,
 * answers that were matched with the other one may be its own.
 */
export function contest(requests: Flow, psn: number, flows: Flows): void {
  for (const other of flows.between(requests.src, requests.dst).slice(0, TRIED))
    if (other !== requests && other.matched === 'psn' && other.requester.mayBeAnswersBefore(psn))
      other.contested = requests.contested = true;
}

/** Separates flows whose answers may belong to other requesters. No packet may follow. */
export function unpairContested(flows: Flows): void {
  for (const flow of flows.all) {
    const { peer } = flow;
    if (!flow.contested || !peer || flow.matched !== 'psn') continue;
    flow.matched = peer.matched = 'no';
    flow.peer = peer.peer = null;
    flow.requester.disown();
    peer.requester.disown();
  }
}

/**
 * Matches a flow of answers with the flow of its requests by their PSNs. Starting PSNs are random, so an answer usually
 * fits one flow only. If it fits several, several answers decide. If these never differ, the flows stay unmatched.
 */
export function matchByPsn(answers: Flow, psn: number, flows: Flows): void {
  const { votes } = answers;
  if (!votes || answers.peer || answers.voted >= DECIDED) return;
  const there = flows.between(answers.dst, answers.src).slice(0, TRIED);
  const candidates = there.filter((flow) => flow !== answers && !flow.peer);
  if (answers.voted === 0)
    for (const flow of there)
      if (flow.matched === 'psn' && flow.requester.answeredOnlyBy(DECIDED) && flow.requester.mayAnswer(psn))
        flow.contested = true;
  let fits = candidates.filter(({ requester }) => requester.mayAnswer(psn));
  // Two taps or queues may put an answer before its request.
  if (fits.length === 0) fits = candidates.filter(({ requester }) => requester.mayAnswer(psn, true));
  if (fits.length === 0) return;
  if (fits.length === 1 && votes.size === 0) return match(answers, fits[0]!, psn);
  for (const flow of fits) votes.set(flow, (votes.get(flow) ?? 0) + 1);
  if (++answers.voted < DECIDED) return;
  const [best, second] = [...votes].sort((x, y) => y[1] - x[1]);
  if (!best || (second && best[1] === second[1])) return;
  match(answers, best[0], psn);
}

function match(answers: Flow, requests: Flow, psn: number): void {
  const late = answers.voted > 0 || answers.early.size > 0;
  pair(answers, requests, 'psn');
  if (late) requests.requester.matchedLate(psn, answers.early);
}
