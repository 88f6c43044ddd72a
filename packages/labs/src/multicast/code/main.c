// A SEND to a group: both members get it, and an outsider with the same Q_Key does not.
#include <unistd.h>

#include "common.h"

#define GROUP "239.1.2.3"
#define TO_GROUP 0xffffff  // the QPN that stands for all members
#define GRH_BYTES ((int)sizeof(struct ibv_grh))
#define ENDS 4

enum { SENDER, MEMBER_1, MEMBER_2, OUTSIDER };

// A Q_Key of its own keeps datagrams of other programs out, should they use the same group.
static uint32_t own_qkey(void) { return (uint32_t)getpid(); }

// A group in RoCEv2 is an IP multicast group: its GID is ::ffff: and the IPv4 address.
static union ibv_gid group_gid(void) {
  union ibv_gid gid;
  need(inet_pton(AF_INET6, "::ffff:" GROUP, gid.raw) == 1, "inet_pton");
  return gid;
}

static struct ibv_ah* create_ah(struct device* d, union ibv_gid gid) {
  struct ibv_ah_attr way = way_to(d, gid);
  struct ibv_ah* ah = ibv_create_ah(d->pd, &way);
  need(ah != NULL, "ibv_create_ah");
  return ah;
}

// The completion says that the datagram has left. It says nothing about who got it.
static void send_text(struct end* from, struct ibv_ah* ah, uint32_t qpn, const char* text) {
  strcpy(from->memory, text);
  struct ibv_sge local = piece(from->mr, 0, strlen(text) + 1);
  struct ibv_send_wr *bad, wr = {.opcode = IBV_WR_SEND, .sg_list = &local, .num_sge = 1};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.ud.ah = ah;
  wr.wr.ud.remote_qpn = qpn;
  wr.wr.ud.remote_qkey = own_qkey();
  check(ibv_post_send(from->qp, &wr, &bad), "ibv_post_send");
  next_success(from->cq);
}

// The next message of an end. A GRH of 40 bytes comes before it.
static const char* next_text(struct end* e) {
  struct ibv_wc wc = next_success(e->cq);
  return e->memory + wc.wr_id + GRH_BYTES;
}

int main(void) {
  struct device d = open_device();
  static struct end ends[ENDS];
  for (int i = 0; i < ENDS; i++) {
    open_end(&d, &ends[i], IBV_QPT_UD, IBV_ACCESS_LOCAL_WRITE);
    activate_ud(ends[i].qp, own_qkey());
    for (int offset = 256; offset <= 512; offset += 256)
      post_recv(ends[i].qp, offset, piece(ends[i].mr, offset, 256));
  }
  union ibv_gid group = group_gid();
  struct ibv_ah *to_group = create_ah(&d, group), *to_port = create_ah(&d, d.gid);
  // Only receivers attach. The sender need not be a member.
  check(ibv_attach_mcast(ends[MEMBER_1].qp, &group, 0), "ibv_attach_mcast");
  check(ibv_attach_mcast(ends[MEMBER_2].qp, &group, 0), "ibv_attach_mcast");

  send_text(&ends[SENDER], to_group, TO_GROUP, "to the group");
  printf("member 1: %s\n", next_text(&ends[MEMBER_1]));
  printf("member 2: %s\n", next_text(&ends[MEMBER_2]));

  // A member that detaches gets nothing more. This datagram to it alone is the next that it sees.
  check(ibv_detach_mcast(ends[MEMBER_1].qp, &group, 0), "ibv_detach_mcast");
  send_text(&ends[SENDER], to_group, TO_GROUP, "to the rest");
  printf("member 2: %s\n", next_text(&ends[MEMBER_2]));
  send_text(&ends[SENDER], to_port, ends[MEMBER_1].qp->qp_num, "to one");
  printf("member 1 after detaching: %s\n", next_text(&ends[MEMBER_1]));
  send_text(&ends[SENDER], to_port, ends[OUTSIDER].qp->qp_num, "to one");
  printf("outsider: %s\n", next_text(&ends[OUTSIDER]));

  check(ibv_detach_mcast(ends[MEMBER_2].qp, &group, 0), "ibv_detach_mcast");
  check(ibv_destroy_ah(to_group), "ibv_destroy_ah");
  check(ibv_destroy_ah(to_port), "ibv_destroy_ah");
  for (int i = 0; i < ENDS; i++) close_end(&ends[i]);
  close_device(&d);
  return 0;
}
