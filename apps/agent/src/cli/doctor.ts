import { plural } from '@verbslab/labs';
import { AppError } from '@verbslab/protocol';
import { Command } from 'commander';
import { examine } from '../doctor/doctor.js';
import type { Finding } from '../doctor/finding.js';
import { Host } from '../doctor/host.js';
import { explain, type KnownMessage } from '../doctor/messages.js';
import { bad, bold, good, muted, print, printJson } from './terminal.js';

const MARK = { ok: good('✓'), note: '·', problem: bad('✗') } as const;

function describe({ level, text, why, cure }: Finding): string {
  const lines = [`${MARK[level]} ${level === 'problem' ? bold(text) : text}`];
  if (why) lines.push(muted(`    ${why}`));
  for (const step of cure ?? []) lines.push(`    ${step}`);
  return lines.join('\n');
}

const describeMessage = ({ text, from, meaning, cure }: KnownMessage): string =>
  [bold(text), muted(`  printed by ${from}`), `  ${meaning}`, `  ${cure}`].join('\n');

async function doctor({ json, explain: text }: { json?: boolean; explain?: string }): Promise<void> {
  if (text !== undefined) {
    const known = explain(text);
    if (known.length === 0) throw new AppError('UNKNOWN_ERROR_TEXT', { text });
    if (json) printJson({ messages: known });
    else print(known.map(describeMessage).join('\n\n'));
    return;
  }
  const findings = await examine(new Host());
  const problems = findings.filter(({ level }) => level === 'problem').length;
  if (json) printJson({ findings, problems });
  else {
    print(findings.map(describe).join('\n'));
    print(`\n${problems === 0 ? 'No problems found.' : `${plural(problems, 'problem')} found.`}`);
  }
  if (problems > 0) process.exitCode = 1;
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check this machine for common RDMA problems, and say how to fix them')
    .option('--json', 'print one JSON object')
    .option('--explain <text>', 'explain an error message of an RDMA program')
    .addHelpText(
      'after',
      `
It changes nothing. It checks the embedded device, UDP port 4791, memlock, the kernel's RDMA devices, their
GIDs, MTU and network namespace, duplicate addresses, and the firewall. The exit code is 1 if it finds a problem.

Examples:
  verbslab doctor
  sudo verbslab doctor                    the firewall's rules too
  verbslab doctor --json | jq '.findings[] | select(.level == "problem")'
  verbslab doctor --explain "No RDMA devices were detected"`,
    )
    .action(doctor);
}
