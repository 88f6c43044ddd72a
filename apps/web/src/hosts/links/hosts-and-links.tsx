'use client';
import { Fragment, useMemo, useState } from 'react';
import { useAgent } from '../../connection/store';
import { Skeleton } from '../../ui/states';
import { TableSwitch } from '../../ui/table-switch';
import { HostBox } from './host-box';
import { LinkLine } from './link-line';
import { isLoopback } from './link-text';
import { LinkTable } from './link-table';
import { topologyOf, type Topology } from './topology';
import { useTraffic } from './use-traffic';

/** The hosts, their devices, the links between them and what runs in progress move over them now. */
export function HostsAndLinks() {
  const agent = useAgent((s) => s.agent);
  const devices = useAgent((s) => s.devices);
  const peers = useAgent((s) => s.peers);
  const traffic = useTraffic();
  const [table, setTable] = useState(false);
  const topology = useMemo(
    () => topologyOf({ agent, devices, peers: peers ?? [], traffic }),
    [agent, devices, peers, traffic],
  );
  return (
    <section aria-labelledby="hosts-and-links" className="min-w-0">
      <div className="mb-2 flex min-h-8 items-center gap-2">
        <h2 id="hosts-and-links" className="text-16 font-semibold">
          Hosts and links
        </h2>
        {agent ? (
          <TableSwitch
            of="Hosts and links"
            picture="picture"
            shown={table}
            onToggle={() => setTable(!table)}
          />
        ) : null}
      </div>
      {agent ? (
        <>
          {table ? <LinkTable links={topology.links} /> : <Picture topology={topology} />}
          <p className="mt-2 max-w-[72ch] text-13 text-ink-3">
            Rates count whole packets, headers included. They come from the counters of the devices that a run
            uses.
          </p>
        </>
      ) : (
        <div aria-busy className="grid h-36 max-w-[44rem] content-start gap-3">
          <Skeleton className="h-24 w-full" />
          <Skeleton className="h-3 w-40" />
        </div>
      )}
    </section>
  );
}

/** A host stands beside the links that begin at it; each of them ends at its other host. */
function Picture({ topology: { links } }: { topology: Topology }) {
  const froms = [...new Set(links.map(({ from }) => from))];
  return (
    <div className="grid max-w-[52rem] gap-6">
      {froms.map((from) => {
        const own = links.filter((link) => link.from === from);
        return (
          <div
            key={from.name}
            className="grid sm:grid-cols-[minmax(0,15rem)_minmax(10rem,1fr)_minmax(0,15rem)] sm:gap-y-4"
          >
            <div className="grid sm:col-start-1 sm:row-start-1" style={{ gridRowEnd: `span ${own.length}` }}>
              <HostBox host={from} />
            </div>
            {own.map((link) => (
              <Fragment key={link.to.name}>
                <div className="sm:col-start-2 sm:grid">
                  <LinkLine link={link} />
                </div>
                {isLoopback(link) ? (
                  <div className="max-sm:hidden sm:col-start-3" />
                ) : (
                  <div className="grid sm:col-start-3">
                    <HostBox host={link.to} />
                  </div>
                )}
              </Fragment>
            ))}
          </div>
        );
      })}
    </div>
  );
}
