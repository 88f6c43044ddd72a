// The operations that inline functions of <infiniband/verbs.h> reach through the context.
#pragma once

#include "uroce/verbs/abi/abi.h"

namespace uroce::verbs::ops {

// Puts the rules of UROCE_CALL_FAULTS in front of the context's posts.
void let_posts_fail(ibv_context& context);

int query_port(ibv_context* context, uint8_t port, ibv_port_attr* attr, size_t length);
int query_device_ex(ibv_context* context, const ibv_query_device_ex_input* input, ibv_device_attr_ex* attr,
                    size_t length);
int query_rt_values(ibv_context* context, ibv_values_ex* values);

int poll_cq(ibv_cq* cq, int n, ibv_wc* wc);
int req_notify_cq(ibv_cq* cq, int solicited_only);
ibv_cq_ex* create_cq_ex(ibv_context* context, ibv_cq_init_attr_ex* attr);

int post_send(ibv_qp* qp, ibv_send_wr* wr, ibv_send_wr** bad);
int post_recv(ibv_qp* qp, ibv_recv_wr* wr, ibv_recv_wr** bad);
int post_srq_recv(ibv_srq* srq, ibv_recv_wr* wr, ibv_recv_wr** bad);
ibv_qp* create_qp_ex(ibv_context* context, ibv_qp_init_attr_ex* attr);

ibv_td* alloc_td(ibv_context* context, ibv_td_init_attr* attr);
int dealloc_td(ibv_td* td);
ibv_pd* alloc_parent_domain(ibv_context* context, ibv_parent_domain_init_attr* attr);

ibv_mw* alloc_mw(ibv_pd* pd, ibv_mw_type type);
int bind_mw(ibv_qp* qp, ibv_mw* mw, ibv_mw_bind* bind);
int dealloc_mw(ibv_mw* mw);

}  // namespace uroce::verbs::ops
