/** Calls that share a page with another one, as rdma-core installs them. */
const PAGE_OF: Readonly<Record<string, string>> = {
  ibv_free_device_list: 'ibv_get_device_list',
  ibv_close_device: 'ibv_open_device',
  ibv_dealloc_pd: 'ibv_alloc_pd',
  ibv_dereg_mr: 'ibv_reg_mr',
  ibv_destroy_cq: 'ibv_create_cq',
  ibv_destroy_qp: 'ibv_create_qp',
  ibv_destroy_comp_channel: 'ibv_create_comp_channel',
};

/** The manual page of a verbs call: its name, and its address on the web. Null for a call of another library. */
export function manPage(call: string): { page: string; href: string } | null {
  if (!/^ibv_\w+$/.test(call)) return null;
  const page = PAGE_OF[call] ?? call;
  return { page, href: `https://man7.org/linux/man-pages/man3/${page}.3.html` };
}
