import { urocePath } from '@verbslab/native';
import { AppError, callRule, CONGESTIONS, isCallRule, RECOVERIES } from '@verbslab/protocol';
import { Command, Option } from 'commander';
import { list, seconds } from '../options.js';
import { readWords } from '../planned-faults.js';
import { print } from '../terminal.js';
import { execute } from './execute.js';
import { givenOptions, type ExecOptions } from './options.js';

/** For the agent, which starts programs of its fixed list: none may outlive the agent. */
const BOUND = new Option('--bound').hideHelp();

/** For the agent’s workbench: the launcher that the program is started by. */
const CONFINE = new Option('--confine <file>').hideHelp();

export function execCommand(): Command {
  return new Command('exec')
    .description('run an RDMA program, unchanged, on the embedded device')
    .argument('[program]', 'program that uses libibverbs')
    .argument('[args...]', 'its arguments')
    .option('--pcap <file>', 'write every packet to a pcapng file (%p becomes the process id)')
    .option('--addr <address>', 'IP address of the device (default: loopback, so nothing leaves the machine)')
    .option(
      '--netdev <interface>',
      'network interface: the device uses its first IPv4 and its link-local IPv6 address',
    )
    .addOption(
      new Option(
        '--link <way>',
        'path of packets: auto (default) uses shared memory between your processes on this host, and UDP otherwise; udp always goes through the kernel, where tcpdump -i lo sees packets; shm uses shared memory only',
      ).choices(['udp', 'shm', 'auto']),
    )
    .addOption(
      new Option(
        '--recovery <policy>',
        'what a loss costs: what follows it (go-back-n, default), the whole message, or the lost packet alone if the peer has selective-repeat too',
      ).choices(RECOVERIES),
    )
    .addOption(new Option('--congestion <policy>', 'congestion control: none (default)').choices(CONGESTIONS))
    .option('--line-rate <Gb/s>', 'rate from which DCQCN and TIMELY start (default: 10)')
    .option(
      '--ack-every <packets>',
      'a receiver acknowledges after so many packets, asked or not (default: 32, where the sender asks)',
    )
    .option('--ack-delay <us>', 'longest time that an ACK waits for a packet to leave with (default: 20)')
    .option('--strict-memlock', 'refuse to register memory beyond ulimit -l, as the kernel does')
    .addOption(
      new Option('--report [format]', 'when the program ends, list its misuse of verbs on stderr')
        .choices(['text', 'json'])
        .preset('text'),
    )
    .option(
      '--keep-output',
      'record output to a terminal too: the program then writes to a pipe instead of the terminal',
    )
    .option(
      '--summary',
      'when the program ends, print a line of figures on stderr even if it is not a terminal',
    )
    .option(
      '--with <run>',
      'add the command to a run in progress of another exec on this host (number or ID): one run, one clock',
    )
    .addOption(
      new Option(
        '--stuck-after <seconds>',
        'say on stderr what the program waits for after so long without progress (0: never)',
      )
        .argParser(seconds)
        .default(5),
    )
    .option('--faults <settings>', 'lose, delay or damage packets; can be repeated with at=2s', list)
    .option(
      '--fault-rule <rule>',
      'the same for certain packets, from the start, or let calls fail (fail:call=ibv_reg_mr,errno=ENOMEM,nth=2); can be repeated',
      list,
    )
    .option(
      '--replay-faults <run>',
      'inject what was injected into an earlier run, at the same times after each process opened the device',
    )
    .option(
      '--leave-call <name>',
      'leave a call of libc, such as getcwd, to libc, if what the device puts in front of it gets in the way; can be repeated',
      list,
    )
    .addOption(BOUND)
    .addOption(CONFINE)
    .option('--no-agent', 'do not show the program in the dashboard')
    .option('--print-lib', 'print the path of the device’s library, for a program that has a setting for it')
    .passThroughOptions()
    .usage('[options] -- <program> [args...]')
    .addHelpText(
      'after',
      `
The device is preloaded (LD_PRELOAD) and answers as libibverbs. It needs no root and no kernel module. Up to
4,095 processes may use one address at once and talk to each other. Exit code and signals are those of the
program.

While an agent runs (verbslab up), its dashboard shows the program as a run: objects, work requests,
completions, packets, counters, errors and output, live and kept in the history. Output to a terminal is
recorded only with --keep-output, since many programs check for a terminal. The address of the page is
printed on stderr. Showing a program slows it down somewhat. Use --no-agent to avoid that; without an agent
there is no such cost.

Server and client are two commands, so two runs. To have one run with both on one time axis, give the second
command --with and the number or ID of the first one's run. The run ends when its last command ends, and fails
if one of them fails. verbslab runs join does the same for runs that have ended.

When a request or a queue has made no progress for 5 s, a line on stderr says which one, since when, what it
waits for and what to do, once for each reason. The page of the run says the same, with more details.

--faults acts on the packets that the processes of this command send, from their first packet on. Times are
counted from when the first of them opens the device. With endpoint=2, for the second process of the run, they
are counted from when that one does, and so are all times of --replay-faults, with --with too. verbslab faults
--help describes the settings; with it, or on the page of the run, they can be changed while the program runs.
All of this needs an agent, but for rules that let calls fail.

Examples:
  verbslab exec -- ibv_devinfo -v
  verbslab exec -- ibv_rc_pingpong -g 1                     the server, in one terminal
  verbslab exec -- ibv_rc_pingpong -g 1 127.0.0.1           the client, in another
  verbslab exec --with 12 -- ibv_rc_pingpong -g 1 127.0.0.1   the client, as part of run 12
  verbslab exec --pcap /tmp/rdma-%p.pcapng -- ib_write_bw -d uroce0 -x 1
  verbslab exec --no-agent -- ib_write_bw -d uroce0 -x 1    at full speed, with an agent running
  verbslab exec --link udp -- ib_write_lat -x 1             through the kernel: tcpdump -i lo sees it
  verbslab exec --report -- ./my_program                    leaks, bad posts, lost completions
  verbslab exec --faults loss=1%,seed=7 -- ib_write_bw -d uroce0 -x 1 127.0.0.1
  verbslab exec --fault-rule fail:call=ibv_reg_mr,nth=3 -- ./my_program   its third registration fails
  verbslab exec --replay-faults 12 -- ib_write_bw -d uroce0 -x 1 127.0.0.1
  verbslab exec --addr 127.0.0.2 -- ./my_program`,
    )
    .action(
      async (
        program: string | undefined,
        args: string[],
        options: Omit<ExecOptions, 'given'> & { printLib?: boolean },
        command: Command,
      ) => {
        if (options.printLib) return print(urocePath);
        if (program === undefined)
          throw new AppError('USAGE', {
            detail: 'There is no program to run',
            hint: 'Name it behind --, such as verbslab exec -- ibv_devinfo.',
          });
        const { faultRule, ...others } = options;
        const ofPackets = faultRule?.filter((rule) => !isCallRule(rule)) ?? [];
        await execute(program, args, {
          ...others,
          ...(ofPackets.length > 0 ? { faultRule: ofPackets } : {}),
          callFaults: readWords(() => (faultRule ?? []).filter(isCallRule).map((rule) => callRule(rule))),
          given: givenOptions(command),
        });
      },
    );
}
