/** IP multicast groups that the process has joined for its queue pairs. */
import { createSocket, type Socket } from 'node:dgram';

const V4 = '::ffff:';

/**
 * A RoCEv2 group is an IP group. The kernel’s IP stack gives rxe no datagram of a group that no socket has joined, and
 * switches may not forward any. `rdma_join_multicast` joins it; `ibv_attach_mcast` does not.
 */
export class Groups {
  readonly #joined: { qpn: number; group: string; socket: Socket }[] = [];

  /**
   * `own`: a GID of the device’s port, which says on which interface. Other GIDs than IPv4 addresses need no socket.
   */
  join(qpn: number, group: string, own: string): void {
    if (!group.startsWith(V4) || !own.startsWith(V4)) return;
    const socket = createSocket('udp4');
    socket.addMembership(group.slice(V4.length), own.slice(V4.length));
    this.#joined.push({ qpn, group, socket });
  }

  /** Leaves a group; without `group`, all groups of the queue pair. */
  leave(qpn: number, group?: string): void {
    for (const one of [...this.#joined]) {
      if (one.qpn !== qpn || (group !== undefined && one.group !== group)) continue;
      one.socket.close();
      this.#joined.splice(this.#joined.indexOf(one), 1);
    }
  }
}
