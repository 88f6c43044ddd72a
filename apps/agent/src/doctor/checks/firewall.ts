import { note, ok, problem, type Finding } from '../finding.js';
import { type Host } from '../host.js';

const CHECK = 'firewall';
const WHY =
  'RoCEv2 is UDP to port 4791. If the port is blocked, connections fail with “transport retry counter exceeded”.';

interface Chain {
  family: string;
  table: string;
  name: string;
  policy: string;
}

interface NftRule {
  family: string;
  table: string;
  chain: string;
  expr: unknown;
}

interface NftItem {
  chain?: Chain & { hook?: string };
  rule?: NftRule;
}

const mentions = (rule: NftRule, what: string): boolean => JSON.stringify(rule.expr).includes(what);

/** Chains that drop what no rule accepts, and have no rule for port 4791. Null when the rules cannot be read. */
async function closedChains(host: Host): Promise<Chain[] | null> {
  const answer = await host.command('nft', ['--json', 'list', 'ruleset']);
  if (answer?.code !== 0) return null;
  const items = (JSON.parse(answer.stdout) as { nftables?: NftItem[] }).nftables ?? [];
  const rules = items.flatMap(({ rule }) => rule ?? []);
  return items
    .flatMap(({ chain }) => chain ?? [])
    .filter(({ hook, policy }) => hook === 'input' && policy === 'drop')
    .filter(
      ({ family, table, name }) =>
        !rules.some(
          (rule) =>
            rule.family === family &&
            rule.table === table &&
            rule.chain === name &&
            mentions(rule, '4791') &&
            mentions(rule, 'accept'),
        ),
    );
}

/**
 * Checks if a firewall of this machine is likely to drop RoCE packets from others. All of them let loopback through.
 */
export async function checkFirewall(host: Host): Promise<Finding[]> {
  if (/^ENABLED=yes/m.test(host.read('/etc/ufw/ufw.conf') ?? '')) {
    const rules = `${host.read('/etc/ufw/user.rules') ?? ''}`;
    if (/--dport 4791 .*-j ACCEPT/.test(rules)) return [ok(CHECK, 'ufw allows UDP port 4791.')];
    return [
      note(CHECK, 'ufw is active and has no rule for UDP port 4791.', {
        why: WHY,
        cure: ['sudo ufw allow 4791/udp'],
      }),
    ];
  }
  const firewalld = await host.command('firewall-cmd', ['--list-ports']);
  if (firewalld?.code === 0) {
    if (/\b4791\/udp\b/.test(firewalld.stdout)) return [ok(CHECK, 'firewalld allows UDP port 4791.')];
    return [
      note(CHECK, 'firewalld is active, and its default zone does not open UDP port 4791.', {
        why: WHY,
        cure: ['sudo firewall-cmd --permanent --add-port=4791/udp', 'sudo firewall-cmd --reload'],
      }),
    ];
  }
  const closed = await closedChains(host);
  if (closed === null) {
    if (host.uid === 0) return [];
    return [note(CHECK, 'Only root can read the firewall’s rules.', { cure: ['sudo verbslab doctor'] })];
  }
  const [chain] = closed;
  if (!chain) return [ok(CHECK, 'No nftables chain drops UDP port 4791 by its policy.')];
  const where = `${chain.family} ${chain.table} ${chain.name}`;
  return [
    problem(CHECK, `nftables chain “${where}” drops packets by default and has no rule for UDP port 4791.`, {
      why: WHY,
      cure: [`sudo nft insert rule ${where} udp dport 4791 accept`],
    }),
  ];
}
